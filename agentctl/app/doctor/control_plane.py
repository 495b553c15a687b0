"""Whether the YAML files of the current folder are what the database holds."""

from __future__ import annotations

import os
from collections.abc import Iterator

from agentctl.app.doctor.providers import has_database
from agentctl.app.doctor.subject import Subject
from agentctl.domain.finding import Finding
from agentctl.errors import ConfigError

NAMES = ("agents.yaml", "tools.yaml")


def check_files(subject: Subject) -> Iterator[Finding]:
    """Validity and drift."""
    here = [name for name in NAMES if os.path.exists(os.path.join(subject.config.cwd, name))]
    if not here:
        yield Finding("YAML", "ok", "no agents.yaml or tools.yaml in this folder")
        return
    name = " and ".join(here)
    if not has_database(subject):
        yield Finding("YAML", "problem", f"{name} was never applied", "agentctl apply")
        return
    try:
        plan = subject.control.plan(subject.control.read([]), prune=False)
    except ConfigError as error:
        first = error.problems[0] if error.problems else error.message
        yield Finding("YAML", "problem", f"{name}: {first}", "agentctl validate shows all of it.")
        return
    if not plan.changes:
        yield Finding("YAML", "ok", f"{name} and the database agree")
        return
    changes = ", ".join(f"{change.kind} {change.noun} {change.slug}" for change in plan.changes[:3])
    more = f" and {len(plan.changes) - 3} more" if len(plan.changes) > 3 else ""
    repair = "agentctl plan shows the changes, agentctl apply makes them."
    yield Finding("YAML", "problem", f"{name} and the database differ: {changes}{more}", repair)
