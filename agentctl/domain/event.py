"""One event of a run: live, attached and replayed runs all speak in these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.value import value


@value
class Event:
    """`type` is a name of the event schema, `seq` counts from 1 in a run, `ts` is in milliseconds."""

    type: str
    data: Mapping[str, Any]
    seq: int
    ts: int
