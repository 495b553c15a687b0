"""What a check of the installation found, and how to mend it."""

from __future__ import annotations

from typing import Literal

from agentctl.domain.value import value

Health = Literal["ok", "note", "problem"]


@value
class Finding:
    """`check` names what was looked at; a problem has a `repair`, a note may have one."""

    check: str
    status: Health
    detail: str
    repair: str | None = None
