"""Single values of a script: each function takes one or says in a ValueError what it must be."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, get_args

from agentctl.providers.base import FaultKind, Finish
from agentctl.providers.script.replies import split_words

# How an answer ends well; "error" comes from an error only.
FINISHES: tuple[Finish, ...] = tuple(word for word in get_args(Finish) if word != "error")
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
# More tokens than any model will ever count; sums of them stay far below what a database can hold.
MOST_TOKENS = 10**12


def as_text(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError("text (in quotes, if it looks like something else)")
    return value


def as_chunks(value: Any) -> tuple[str, ...]:
    """A text, cut into words, or a list of texts as they are."""
    if isinstance(value, str):
        return split_words(value)
    if isinstance(value, list) and all(isinstance(chunk, str) for chunk in value):
        return tuple(value)
    raise ValueError("text, or a list of texts (in quotes, if they look like something else)")


def as_list(value: Any) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise ValueError("a list")
    return value


def as_pattern(value: Any) -> re.Pattern[str]:
    """A regular expression."""
    try:
        return re.compile(as_text(value))
    except re.error as error:
        raise ValueError(f"a regular expression: {error}") from None


def as_arguments(value: Any) -> str:
    """Arguments as a model sends them: a mapping becomes JSON, a text stays."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    raise ValueError("a mapping, or a text that is sent as it is")


def as_seconds(value: Any) -> float:
    """A number of seconds, not negative."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise ValueError("a number of seconds, 0 or more")
    return float(value)


def as_count(value: Any) -> int:
    """A whole number, not negative."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("a whole number, 0 or more")
    return value


def as_tokens(value: Any) -> int:
    """A number of tokens that can be added up and stored."""
    if as_count(value) > MOST_TOKENS:
        raise ValueError(f"at most {MOST_TOKENS:,} tokens")
    return as_count(value)


def as_status(value: Any) -> int:
    """An HTTP status that is an error."""
    if isinstance(value, bool) or not isinstance(value, int) or not 400 <= value <= 599:
        raise ValueError("an HTTP status from 400 to 599")
    return value


def as_switch(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def as_finish(value: Any) -> Finish:
    """A finish reason."""
    for word in FINISHES:
        if word == value:
            return word
    raise ValueError(f"one of {', '.join(FINISHES)}")


def as_fault_kind(value: Any) -> FaultKind:
    """A kind of fault."""
    for word in FAULT_KINDS:
        if word == value:
            return word
    raise ValueError(f"one of {', '.join(FAULT_KINDS)}")
