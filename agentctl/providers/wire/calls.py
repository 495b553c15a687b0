"""What becomes of a tool call once all of it has arrived, and how it goes back."""

from __future__ import annotations

import re
from typing import Any

from agentctl.domain.message import ToolCall
from agentctl.domain.surrogates import mend
from agentctl.providers.arguments import read_arguments
from agentctl.providers.base import WireCall

_LEADING_TOKENS = r"(?:<\|[^|<>]*\|>\s*)+"


def close_call(call_id: str, name: str, raw: str, *, run: bool) -> WireCall:
    """The call; it is not to be run where `run` is False, it has no name, or `raw` is no JSON object."""
    name, raw = clean_name(mend(name)), mend(raw)
    arguments = read_arguments(raw)
    return WireCall(call_id or None, name, arguments, raw, run and bool(name) and arguments is not None)


def clean_name(name: str) -> str:
    """A tool's name without the tokens and prefixes that chat templates leak into it."""
    name = re.sub(_LEADING_TOKENS, "", name, count=1) if name.startswith("<|") else name
    return name.partition("<|")[0].strip().removeprefix("functions.")


def given_arguments(call: ToolCall) -> dict[str, Any]:
    """The arguments as they go back to a model; what was no JSON object becomes one that says so."""
    return {"INVALID_JSON": call.raw or ""} if call.arguments is None else dict(call.arguments)
