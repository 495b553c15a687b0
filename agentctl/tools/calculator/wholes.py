"""Functions of whole numbers: factorials, choices, divisors."""

from __future__ import annotations

import math

from agentctl.tools.calculator.arithmetic import MOST_BITS, MOST_DIGITS, Number, settle
from agentctl.tools.failure import ToolError

_MOST_FACTORIAL = 1_000
_MOST_CHOSEN = 2_000
_MOST_CHOICES = 10**15


def factorial(value: Number) -> Number:
    """n! for n up to 1000."""
    n = whole(value, "a factorial")
    if n < 0:
        raise ToolError("a negative number has no factorial")
    if n > _MOST_FACTORIAL:
        raise ToolError(f"a factorial is computed up to {_MOST_FACTORIAL}!")
    return math.factorial(n)


def comb(n: Number, k: Number) -> Number:
    """The ways to choose k of n without order."""
    n, k = _choice(n, k)
    _refuse_many(n, min(k, n - k))
    return settle(math.comb(n, k))


def perm(n: Number, k: Number) -> Number:
    """The ways to choose k of n in order."""
    n, k = _choice(n, k)
    _refuse_many(n, k)
    return settle(math.perm(n, k))


def gcd(*values: Number) -> Number:
    """The greatest common divisor."""
    return math.gcd(*(whole(value, "gcd") for value in values))


def lcm(*values: Number) -> Number:
    """The least common multiple, of at most 4,000 digits."""
    result = 1
    for value in values:
        result = math.lcm(result, whole(value, "lcm"))
        if result.bit_length() > MOST_BITS:
            raise ToolError(f"the least common multiple has more than {MOST_DIGITS:,} digits")
    return result


def whole(value: Number, what: str) -> int:
    """`value` itself. Raises ToolError, naming `what` asked for it, when it is not whole."""
    if not isinstance(value, int):
        raise ToolError(f"{what} needs whole numbers")
    return value


def _choice(n: Number, k: Number) -> tuple[int, int]:
    n, k = whole(n, "choosing k of n"), whole(k, "choosing k of n")
    if n < 0 or k < 0:
        raise ToolError("choosing k of n needs numbers of at least 0")
    return n, k


def _refuse_many(n: int, k: int) -> None:
    if n > _MOST_CHOICES or k > _MOST_CHOSEN:
        raise ToolError(f"choosing k of n is computed for n up to 10^15 and k up to {_MOST_CHOSEN}")
