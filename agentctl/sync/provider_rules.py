"""What a declared provider must keep to besides the kinds of its fields."""

from __future__ import annotations

from agentctl.errors import ConfigError, did_you_mean
from agentctl.providers import KINDS, load_adapter
from agentctl.sync.entries import Entry
from agentctl.sync.secrets import check_headers


def check_provider(entry: Entry) -> None:
    """Report an unknown kind, secrets in plain text, and two ways to the same key."""
    kind = entry.sound.get("kind")
    if kind is not None and not _is_kind(kind):
        message = f'unknown provider kind "{kind}"{did_you_mean(kind, KINDS)}; kinds: {", ".join(KINDS)}'
        entry.report.at_value(entry.raw, "kind", message)
    if "headers" in entry.sound:
        check_headers(entry.report, entry.sound["headers"])
    if "api_key_env" in entry.sound and "api_key_cmd" in entry.sound:
        entry.report.at_key(entry.raw, "api_key_cmd", "give api_key_env or api_key_cmd, not both")


def _is_kind(kind: str) -> bool:
    if kind in KINDS:
        return True
    try:
        load_adapter(kind)
    except ConfigError:
        return False
    return True
