"""Checks what a command line says about a provider by the rules that hold for YAML files."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from agentctl.domain.model import Provider
from agentctl.errors import UsageError
from agentctl.formats.document import hold
from agentctl.sync.entries import Entry
from agentctl.sync.fields import PROVIDER
from agentctl.sync.files import SourceFile
from agentctl.sync.provider_rules import check_provider
from agentctl.sync.report import Report, TooManyError


def make_provider(values: Mapping[str, Any]) -> Provider:
    """The provider with these fields, which belongs to no file. Raises UsageError with everything wrong."""
    raw = dict(values)
    document = hold("command line", raw)
    report = Report(document)
    sound: dict[str, Any] = {}
    with suppress(TooManyError):
        sound = report.fields(raw, PROVIDER)
        check_provider(Entry("providers", raw, sound, report, SourceFile(Path(), document)))
    problems = report.finish()
    if problems:
        raise UsageError("; ".join(problem.message for problem in problems))
    return Provider(**{**sound, "api_key_cmd": tuple(sound.get("api_key_cmd", ()))})
