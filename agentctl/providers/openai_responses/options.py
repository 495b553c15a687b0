"""The options of this adapter, told apart from the parameters that are sent as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, Literal

from agentctl.domain.value import value
from agentctl.providers.wire.options import find_neutral_mistake, is_count, split_options

# What a request is made of cannot be set from outside, nor what makes its answer come another way.
RESERVED = frozenset(
    {
        "background",
        "conversation",
        "input",
        "instructions",
        "messages",
        "model",
        "previous_response_id",
        "stream",
        "tools",
    }
)


@value
class ResponsesOptions:
    """The options listed in the package's docstring; `parameters` holds everything else."""

    min_output_tokens: int = 1
    structured_output: Literal["native", "prompt"] = "native"
    thinking_effort: str | None = None
    thinking_budget: int | None = None
    thinking_on: Mapping[str, Any] = field(
        default_factory=lambda: {"reasoning": {"effort": "{effort}", "summary": "auto"}}
    )
    thinking_off: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)


OWN = frozenset(option.name for option in fields(ResponsesOptions)) - {"parameters"}


def read_options(*layers: Mapping[str, Any]) -> ResponsesOptions:
    """The options of all layers, later ones stronger; null stands for an option's default.

    Raises ConfigError naming the option that is wrong.
    """
    own, parameters = split_options(layers, OWN, RESERVED, _find_mistake)
    return ResponsesOptions(**own, parameters=parameters)


def _find_mistake(name: str, given: Any) -> str:
    if name == "min_output_tokens":
        return "" if is_count(given) else "write a number of tokens"
    return find_neutral_mistake(name, given)
