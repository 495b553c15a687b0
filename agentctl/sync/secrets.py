"""Keeps secrets out of YAML: which headers and options may not hold a text."""

from __future__ import annotations

import re
from typing import Any

from agentctl.domain.headers import header_faults
from agentctl.sync.report import Report

_SECRET_OPTION = re.compile(
    r"([a-z0-9_-]*[-_])?(api_?key|(access|auth|bearer)_token|secret|password|authorization)"
)


def check_headers(report: Report, headers: dict[str, Any]) -> None:
    """Each header is text, `{env: NAME}` or `{key: NAME}`; one for secrets must not be text."""
    for fault in header_faults(headers):
        place = report.at_key if fault.at_name else report.at_value
        place(headers, fault.name, f"headers: {fault.message}")


def check_options(report: Report, options: dict[str, Any]) -> None:
    """No option, and nothing in one, may be a secret in plain text."""
    for name, value in options.items():
        if isinstance(value, dict):
            check_options(report, value)
        elif isinstance(value, str) and _SECRET_OPTION.fullmatch(name.lower()):
            advice = "use api_key_env or api_key_cmd"
            report.at_value(options, name, f"options: {name} must not stand here as text: {advice}")
