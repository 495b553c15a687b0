"""A user of this database: a name, not an account."""

from __future__ import annotations

from agentctl.domain.value import value


@value
class User:
    """`preferred_model` is what this user asked for in every conversation that names none."""

    id: int
    name: str
    preferred_model: str | None = None
