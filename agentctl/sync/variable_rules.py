"""Keeps keys from programs: no tool may pass a variable on in which a provider has its key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentctl.domain.model import Provider
from agentctl.errors import ConfigError
from agentctl.providers import BUILT_IN
from agentctl.sync.entries import Entry
from agentctl.sync.report import Report
from agentctl.sync.state import State
from agentctl.tools import load_type
from agentctl.tools.config import read_config

KEY = "env"


def check_variables(declared: Sequence[Entry], state: State) -> None:
    """Report every tool, and every agent's config of one, that passes on a key of any provider."""
    owners = _find_owners(declared, state)
    tools = {slug: (tool.type, tool.config) for slug, tool in state.tools.items()}
    for entry in declared:
        if entry.section == "tools" and "type" in entry.sound:
            kind, config = entry.sound["type"], entry.sound.get("config", {})
            tools[entry.slug or ""] = (kind, config)
            _check(entry.report, config, kind, config, owners)
    for entry in declared:
        for item in entry.raw.get("tools", ()) if "tools" in entry.sound else ():
            if isinstance(item, dict) and item.get("slug") in tools and isinstance(item.get("config"), dict):
                kind, under = tools[item["slug"]]
                _check(entry.report, item["config"], kind, {**under, **item["config"]}, owners)


def _find_owners(declared: Sequence[Entry], state: State) -> dict[str, str]:
    """The provider to which each variable with a key belongs."""
    providers = [*BUILT_IN.values(), *state.providers.values()]
    for entry in declared:
        if entry.section == "providers" and {"slug", "kind"} <= entry.sound.keys():
            sound = {key: entry.sound[key] for key in ("api_key_env", "headers") if key in entry.sound}
            providers.append(Provider(slug=entry.sound["slug"], kind=entry.sound["kind"], **sound))
    return {name: provider.slug for provider in reversed(providers) for name in provider.key_variables}


def _check(
    report: Report, raw: dict[str, Any], kind: str, config: Mapping[str, Any], owners: Mapping[str, str]
) -> None:
    if KEY not in raw:
        return
    try:
        tool_class = load_type(kind)
    except ConfigError:
        return
    sound = read_config(tool_class, config)[0]
    for name in tool_class.find_variables(sound) if sound else ():
        if name in owners:
            message = f"{name} holds the key of provider {owners[name]} and is not passed to programs"
            report.at_value(raw, KEY, f"config: {KEY}: {message}")
