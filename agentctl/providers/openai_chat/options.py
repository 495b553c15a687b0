"""The options of this adapter, told apart from the parameters that are sent as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, Literal

from agentctl.domain.value import value
from agentctl.providers.wire.options import find_neutral_mistake, split_options

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
    own, parameters = split_options(layers, OWN, RESERVED, _find_mistake)
    return ChatOptions(**own, parameters=parameters)


def _find_mistake(name: str, given: Any) -> str:
    """What should stand there instead of `given`; "" where nothing is wrong."""
    if name == "max_tokens_field":
        return "" if isinstance(given, str) and given else "write the name of a parameter"
    if name == "replay_reasoning" and given == "all":
        return ""
    return find_neutral_mistake(name, given)
