"""The options of this adapter, told apart from the parameters that are sent as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, Literal

from agentctl.domain.value import value
from agentctl.errors import ConfigError

# What a request is made of cannot be set from outside.
RESERVED = frozenset({"messages", "model", "n", "stream", "tools"})


@value
class ChatOptions:
    """The options listed in the package's docstring; `parameters` holds everything else."""

    max_tokens_field: str = "max_tokens"
    short_call_ids: bool = False
    replay_reasoning: bool | Literal["all"] = False
    think_tags: bool = False
    lenient_tool_calls: bool = False
    thinking_on: Mapping[str, Any] = field(default_factory=dict)
    thinking_off: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)


OWN = frozenset(option.name for option in fields(ChatOptions)) - {"parameters"}


def read_options(*layers: Mapping[str, Any]) -> ChatOptions:
    """The options of all layers, later ones stronger. Raises ConfigError naming the option that is wrong."""
    merged: dict[str, Any] = {}
    for layer in layers:
        merged.update(layer)
    own = {name: merged.pop(name) for name in OWN & merged.keys()}
    for name, given in own.items():
        wanted = _find_mistake(name, given)
        if wanted:
            raise ConfigError(f"option {name}: {wanted}, not {given!r}")
    for name in sorted(RESERVED & merged.keys()):
        raise ConfigError(f"option {name} cannot be set: the request itself decides it")
    return ChatOptions(**own, parameters=merged)


def _find_mistake(name: str, value: Any) -> str:
    """What should stand there instead of `value`; "" where nothing is wrong."""
    if name == "max_tokens_field":
        return "" if isinstance(value, str) and value else "write the name of a parameter"
    if name in ("thinking_on", "thinking_off"):
        return "" if isinstance(value, Mapping) else "write a mapping of parameters"
    if name == "replay_reasoning" and value == "all":
        return ""
    return "" if isinstance(value, bool) else "write true or false"
