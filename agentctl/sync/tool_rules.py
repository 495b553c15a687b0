"""What a declared tool must keep to besides the kinds of its fields: its type and that type's config."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from agentctl.errors import ConfigError
from agentctl.sync.entries import Entry
from agentctl.sync.report import Report
from agentctl.sync.rules import read_rules
from agentctl.sync.state import State
from agentctl.tools import load_type
from agentctl.tools.checks import Fault
from agentctl.tools.config import read_config


def check_tool(entry: Entry) -> None:
    """Report an unknown type, and every key of `config` that the type does not accept."""
    if "approvals" in entry.sound:
        entry.sound["approvals"] = read_rules(entry, f"tool {entry.slug}")
    kind = entry.sound.get("type")
    if kind is None:
        return
    try:
        tool_class = load_type(kind)
    except ConfigError as error:
        entry.report.at_value(entry.raw, "type", f"{error.message}; {error.hint}")
        return
    config = entry.sound.get("config", {})
    for fault in read_config(tool_class, config)[1]:
        if fault.field in config:
            _report(entry.report, tool_class.Config, config, fault)
        else:
            entry.report.at_start(entry.raw, f"config: {fault}")


def check_agent_configs(declared: Sequence[Entry], state: State) -> None:
    """Report what an agent's `config` for one of its tools breaks, once it lies over the tool's own."""
    known = {slug: (tool.type, tool.config) for slug, tool in state.tools.items()}
    for entry in declared:
        if entry.section == "tools" and entry.slug and "type" in entry.sound:
            known[entry.slug] = (entry.sound["type"], entry.sound.get("config", {}))
    for entry in declared:
        for item in entry.raw.get("tools", ()) if "tools" in entry.sound else ():
            if isinstance(item, dict) and item.get("slug") in known and isinstance(item.get("config"), dict):
                _check_over(entry.report, item["config"], *known[item["slug"]])


def _check_over(report: Report, config: dict[str, Any], kind: str, under: Mapping[str, Any]) -> None:
    """Only keys of `config` itself are complained about: the tool's own were checked where it is declared."""
    try:
        tool_class = load_type(kind)
    except ConfigError:
        return
    for fault in read_config(tool_class, {**under, **config})[1]:
        if fault.field in config:
            _report(report, tool_class.Config, config, fault)


def _report(report: Report, config_class: type, config: dict[str, Any], fault: Fault) -> None:
    """At the key where no such key exists, else at its value, as deep as the fault's path leads."""
    if any(field.name == fault.field for field in fields(config_class)):
        place: Any = config
        for key in fault.path[:-1]:
            place = place[key]
        report.at_value(place, fault.path[-1], f"config: {fault}")
    else:
        report.at_key(config, fault.field, f"config: {fault}")
