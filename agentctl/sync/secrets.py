"""Keeps secrets out of YAML: which headers and options may not hold a text."""

from __future__ import annotations

import re
from typing import Any

from agentctl.providers.headers import FRAMING_HEADERS
from agentctl.providers.key_file import KEY_NAME
from agentctl.sync.kinds import VARIABLE_NAME, describe
from agentctl.sync.report import Report

# Authorization, *-key and *-token, and what else is only ever used for secrets.
_SECRET_HEADER = re.compile(
    r"(proxy-)?authorization|cookie|([a-z0-9_-]*[-_])?(key|token|secret|password)|apikey"
)
_SECRET_OPTION = re.compile(
    r"([a-z0-9_-]*[-_])?(api_?key|(access|auth|bearer)_token|secret|password|authorization)"
)
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+\Z")
_KEY_NAME = re.compile(rf"{KEY_NAME}\Z")
# A text that can only be a secret, under whatever name.
_CREDENTIALS = re.compile(r"(?i)(bearer|basic)\s+\S")


def check_headers(report: Report, headers: dict[str, Any]) -> None:
    """Each header is text, `{env: NAME}` or `{key: NAME}`; one for secrets must not be text."""
    for name, value in headers.items():
        if not _HEADER_NAME.match(name):
            report.at_key(headers, name, f"headers: `{name}` is no name of a header")
        if name.lower() in FRAMING_HEADERS:
            report.at_key(headers, name, f"headers: {name} cannot be set, for each request makes its own")
        message = _header_fault(name, value)
        if message:
            report.at_value(headers, name, f"headers: {message}")


def check_options(report: Report, options: dict[str, Any]) -> None:
    """No option, and nothing in one, may be a secret in plain text."""
    for name, value in options.items():
        if isinstance(value, dict):
            check_options(report, value)
        elif isinstance(value, str) and _SECRET_OPTION.fullmatch(name.lower()):
            advice = "use api_key_env or api_key_cmd"
            report.at_value(options, name, f"options: {name} must not stand here as text: {advice}")


def _header_fault(name: str, value: Any) -> str | None:
    """What is wrong with one header; its value is never part of the message."""
    if isinstance(value, dict):
        return _reference_fault(name, value)
    if not isinstance(value, str):
        return f"{name}: expected text, {{env: NAME}} or {{key: NAME}}, got {describe(value)}"
    if _SECRET_HEADER.fullmatch(name.lower()) or _CREDENTIALS.match(value):
        return f"{name} must not stand here as text: write {{env: NAME}} or {{key: NAME}}"
    return None if value.isascii() and value.isprintable() else f"{name}: a header is plain ASCII on one line"


def _reference_fault(name: str, value: dict[str, Any]) -> str | None:
    if len(value) == 1:
        ((kind, named),) = value.items()
        pattern = {"env": VARIABLE_NAME, "key": _KEY_NAME}.get(kind)
        if pattern is not None and isinstance(named, str) and pattern.match(named):
            return None
    return f"{name}: expected {{env: NAME}} or {{key: NAME}}, with the name and not the secret itself"
