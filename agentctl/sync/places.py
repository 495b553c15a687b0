"""Finds where a rule stands now in the YAML file that it came from."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from agentctl.domain.rule import Rule
from agentctl.errors import AgentctlError
from agentctl.formats.yaml import read
from agentctl.sync.rules import said_rule


def find_place(source: str | None, section: str, slug: str, rule: Rule, folder: Path) -> str | None:
    """`file:line:column` of a rule under `approvals` of an agent or tool; relative to `folder` where below.

    None where there is no such file or it says something else by now.
    """
    # Whatever a file holds that was changed since it was applied, it does not hold the rule.
    with suppress(AgentctlError, LookupError, TypeError, AttributeError):
        path = Path(source or "")
        document = read(path)
        for index, entry in enumerate(document.value[section]):
            for number, raw in enumerate(entry["approvals"] if entry["slug"] == slug else ()):
                if said_rule(raw) == rule:
                    line, column = document.where((section, index, "approvals", number))
                    name = path.relative_to(folder) if path.is_relative_to(folder) else path
                    return f"{name}:{line}:{column}"
    return None
