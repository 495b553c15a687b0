"""The options of this adapter, told apart from the parameters that are sent as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from typing import Any, Literal

from agentctl.domain.value import value
from agentctl.providers.wire.options import find_neutral_mistake, is_count, split_options

RESERVED = frozenset({"messages", "model", "stream", "system", "tools"})


@value
class MessagesOptions:
    """The options listed in the package's docstring; `parameters` holds everything else."""

    max_tokens: int | None = None
    thinking_form: Literal["adaptive", "budget"] | None = None
    thinking_effort: str | None = None
    thinking_budget: int | None = None
    thinking_off: Mapping[str, Any] = field(default_factory=dict)
    structured_output: Literal["native", "prompt"] = "native"
    prompt_cache: bool = False
    server_tools: Sequence[Mapping[str, Any]] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)


OWN = frozenset(option.name for option in fields(MessagesOptions)) - {"parameters"}


def read_options(*layers: Mapping[str, Any]) -> MessagesOptions:
    """The options of all layers, later ones stronger. Raises ConfigError naming the option that is wrong."""
    own, parameters = split_options(layers, OWN, RESERVED, _find_mistake)
    return MessagesOptions(**own, parameters=parameters)


def _find_mistake(name: str, given: Any) -> str:
    if name == "max_tokens":
        return "" if is_count(given) else "write a number of tokens"
    if name == "thinking_form":
        return "" if given in ("adaptive", "budget") else "write adaptive or budget"
    if name == "server_tools":
        tools = isinstance(given, (list, tuple)) and all(isinstance(tool, Mapping) for tool in given)
        return "" if tools else "write a list of tools, each a mapping with type and name"
    return find_neutral_mistake(name, given)
