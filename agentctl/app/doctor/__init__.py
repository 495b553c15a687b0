"""Looks at everything that agentctl needs: installation, database, keys, providers, embedded model, YAML."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agentctl.app.doctor.subject import Subject
from agentctl.domain.finding import Finding
from agentctl.errors import AgentctlError


def examine(subject: Subject) -> Iterator[Finding]:
    """The findings, each as soon as it is known; nothing is changed, and no key is sent anywhere.

    A check that fails in a way that nobody foresaw is a problem of its own, never the end of the others.
    """
    from agentctl.app.doctor.control_plane import check_files
    from agentctl.app.doctor.database import check_database
    from agentctl.app.doctor.embedded import check_embedded
    from agentctl.app.doctor.installation import check_installation
    from agentctl.app.doctor.providers import check_keys, check_models, check_reachable

    yield from _guarded("installation", lambda: check_installation(subject.config))
    usable = True
    for finding in _guarded("database", lambda: check_database(subject.config.db)):
        usable = usable and finding.status != "problem"
        yield finding
    if not usable:
        yield Finding("more", "note", "models, keys and YAML were not looked at: they need the database")
        return
    yield from _guarded("models", lambda: check_models(subject))
    yield from _guarded("keys", lambda: check_keys(subject))
    yield from _guarded("providers", lambda: check_reachable(subject))
    yield from _guarded("embedded model", lambda: check_embedded(subject))
    yield from _guarded("agents.yaml", lambda: check_files(subject))


def _guarded(name: str, check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    try:
        yield from check()
    except AgentctlError as error:
        yield Finding(name, "problem", error.message, error.hint or "See the message.")
