"""Results of calls that may be had again for a while without a call: which, and under what key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

from agentctl import __version__
from agentctl.domain.tool import ToolContext
from agentctl.tools.base import ToolType


def find_key(tool: ToolType, arguments: Any, context: ToolContext) -> str | None:
    """The key of a call's result: the same tool, config, user, surroundings and (checked) arguments.

    None: nothing is kept of a tool that writes or executes, or whose calls must not be repeated.
    """
    kept = tool.config.cache > 0 and tool.is_idempotent() and tool.find_risk() in ("read", "network")
    if not kept or tool.services.results is None:
        return None
    called = [
        __version__,
        tool.type,
        context.tool_id,
        context.user_id,
        _plain(tool.config),
        _plain(arguments),
        tool.find_surroundings(context),
    ]
    import hashlib

    return hashlib.sha256(json.dumps(called, sort_keys=True, default=repr).encode()).hexdigest()


def _plain(values: Any) -> Any:
    if is_dataclass(values) and not isinstance(values, type):
        return asdict(values)
    return dict(values) if isinstance(values, Mapping) else values
