"""Tells the options of an adapter from the parameters that are sent as they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from agentctl.errors import ConfigError


def split_options(
    layers: Collection[Mapping[str, Any]],
    own: Collection[str],
    reserved: Collection[str],
    find_mistake: Callable[[str, Any], str],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options named in `own` and all other parameters; later layers are stronger.

    An own option that is null has its default. `find_mistake` says what should stand there instead of a
    value, "" where nothing is wrong. Raises ConfigError naming the option that is wrong, or that is
    `reserved`: what a request is made of cannot be set from outside.
    """
    merged: dict[str, Any] = {}
    for layer in layers:
        merged.update(layer)
    found = {name: merged.pop(name) for name in set(own) & merged.keys()}
    found = {name: given for name, given in found.items() if given is not None}
    for name, given in found.items():
        wanted = find_mistake(name, given)
        if wanted:
            raise ConfigError(f"option {name}: {wanted}, not {given!r}")
    for name in sorted(set(reserved) & merged.keys()):
        raise ConfigError(f"option {name} cannot be set: the request itself decides it")
    return found, merged


def find_neutral_mistake(name: str, given: Any) -> str:
    """What should stand instead of `given` under an option that every protocol has; others are flags."""
    if name == "structured_output":
        return "" if given in ("native", "prompt") else "write native or prompt"
    if name == "thinking_effort":
        return "" if isinstance(given, str) and given else "write a word such as low, medium or high"
    if name == "thinking_budget":
        return "" if is_count(given) else "write a number of tokens"
    if name in ("thinking_on", "thinking_off"):
        return "" if isinstance(given, Mapping) else "write a mapping of parameters"
    return "" if isinstance(given, bool) else "write true or false"


def is_count(given: Any) -> bool:
    """Whether an option is a whole number of at least 1."""
    return isinstance(given, int) and not isinstance(given, bool) and given > 0
