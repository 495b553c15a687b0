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
    structured_output: Literal["native", "prompt"] = "native"
    thinking_effort: str | None = None
    thinking_budget: int | None = None
    thinking_on: Mapping[str, Any] = field(default_factory=lambda: {"reasoning_effort": "{effort}"})
    thinking_off: Mapping[str, Any] = field(default_factory=dict)
    replay_reasoning: bool | Literal["all"] = False
    short_call_ids: bool = False
    think_tags: bool = False
    lenient_tool_calls: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)


OWN = frozenset(option.name for option in fields(ChatOptions)) - {"parameters"}


def read_options(*layers: Mapping[str, Any]) -> ChatOptions:
    """The options of all layers, later ones stronger; null stands for an option's default.

    Raises ConfigError naming the option that is wrong.
    """
    merged: dict[str, Any] = {}
    for layer in layers:
        merged.update(layer)
    own = {name: merged.pop(name) for name in OWN & merged.keys()}
    own = {name: given for name, given in own.items() if given is not None}
    for name, given in own.items():
        wanted = _find_mistake(name, given)
        if wanted:
            raise ConfigError(f"option {name}: {wanted}, not {given!r}")
    for name in sorted(RESERVED & merged.keys()):
        raise ConfigError(f"option {name} cannot be set: the request itself decides it")
    return ChatOptions(**own, parameters=merged)


def _find_mistake(name: str, given: Any) -> str:
    """What should stand there instead of `given`; "" where nothing is wrong."""
    if name == "max_tokens_field":
        return "" if isinstance(given, str) and given else "write the name of a parameter"
    if name == "structured_output":
        return "" if given in ("native", "prompt") else "write native or prompt"
    if name == "thinking_effort":
        return "" if isinstance(given, str) and given else "write a word such as low, medium or high"
    if name == "thinking_budget":
        is_count = isinstance(given, int) and not isinstance(given, bool) and given > 0
        return "" if is_count else "write a number of tokens"
    if name in ("thinking_on", "thinking_off"):
        return "" if isinstance(given, Mapping) else "write a mapping of parameters"
    if name == "replay_reasoning" and given == "all":
        return ""
    return "" if isinstance(given, bool) else "write true or false"
