"""The operators, on whole numbers (exact up to 4,000 digits) and decimals (rounded to 50)."""

from __future__ import annotations

from decimal import (
    ROUND_FLOOR,
    Context,
    Decimal,
    DivisionByZero,
    Inexact,
    InvalidOperation,
    Overflow,
    getcontext,
)

from agentctl.tools.failure import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Number = int | Decimal

DIGITS = 50
MOST_DIGITS = 4_000  # below the 4,300 that Python is willing to print
MOST_BITS = 13_287

# Overflow is what ends 9**9**9: nothing above 10^999,999 is ever computed.
CONTEXT = Context(
    prec=DIGITS, Emax=999_999, Emin=-999_999, traps=[InvalidOperation, DivisionByZero, Overflow]
)
_NOISE = Decimal(10) ** (5 - DIGITS)
_ONE_TOO_WIDE = Decimal(10) ** DIGITS


def settle(value: Number) -> Number:
    """The same value, as an int where it is whole and all of its digits are known."""
    if isinstance(value, int):
        return value if value.bit_length() <= MOST_BITS else +Decimal(value)
    if abs(value) < _ONE_TOO_WIDE and value == value.to_integral_value():
        return int(value)
    return value


def add(left: Number, right: Number) -> Number:
    """`left + right`."""
    return _without_noise(left + right, left)


def subtract(left: Number, right: Number) -> Number:
    """`left - right`."""
    return _without_noise(left - right, left)


def multiply(left: Number, right: Number) -> Number:
    """`left * right`."""
    return settle(left * right)


def divide(left: Number, right: Number) -> Number:
    """`left / right`, whole where it comes out even."""
    _refuse_zero(right)
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    return settle(Decimal(left) / Decimal(right))


def floor_divide(left: Number, right: Number) -> Number:
    """The quotient rounded down, also for negative numbers."""
    _refuse_zero(right)
    if isinstance(left, int) and isinstance(right, int):
        return left // right
    return settle(int(_whole_quotient(Decimal(left), Decimal(right))))


def modulo(left: Number, right: Number) -> Number:
    """What `floor_divide` leaves: it has the sign of `right`."""
    _refuse_zero(right)
    if isinstance(left, int) and isinstance(right, int):
        return left % right
    left, right = Decimal(left), Decimal(right)
    quotient = _whole_quotient(left, right)
    return _without_noise(quotient.fma(-right, left, _wide(left, right)), left)


def power(base: Number, exponent: Number) -> Number:
    """`base ^ exponent`, exact for whole numbers as long as the result has at most 4,000 digits."""
    if base == 0 and exponent < 0:
        raise ToolError("division by zero")
    if exponent == 0:
        return 1
    if isinstance(base, int) and isinstance(exponent, int):
        if exponent < 0:
            return divide(1, power(base, -exponent))
        if abs(base) < 2 or base.bit_length() * exponent <= MOST_BITS:
            return int(base**exponent)
    if base < 0 and exponent != Decimal(exponent).to_integral_value():
        raise ToolError("a negative number to a power that is not whole has no real value")
    return settle(Decimal(base) ** Decimal(exponent))


OPERATORS: dict[str, Callable[[Number, Number], Number]] = {
    "%": modulo,
    "*": multiply,
    "+": add,
    "-": subtract,
    "/": divide,
    "//": floor_divide,
    "mod": modulo,
}


def _refuse_zero(divisor: Number) -> None:
    if divisor == 0:
        raise ToolError("division by zero")


def _without_noise(value: Number, part: Number) -> Number:
    """0 where all that is left of `part` are the rounding errors of what was computed before."""
    if getcontext().flags[Inexact] and abs(Decimal(value)) < abs(Decimal(part)) * _NOISE:
        return 0
    return settle(+value)


def _whole_quotient(left: Decimal, right: Decimal) -> Decimal:
    wide = _wide(left, right)
    quotient = wide.divide(left, right)
    nearest = quotient.to_integral_value()
    rounded = getcontext().flags[Inexact]
    if (
        rounded and abs(quotient - nearest) <= abs(nearest) * _NOISE
    ):  # -1 % (1/3): it is whole, but for errors
        return nearest
    return quotient.to_integral_value(ROUND_FLOOR, wide)


def _wide(left: Decimal, right: Decimal) -> Context:
    """A context in which the whole quotient of the two is exact."""
    digits = left.adjusted() - right.adjusted() if left else 0
    if digits > MOST_DIGITS:
        raise ToolError("the numbers are too far apart for a whole quotient")
    wide = getcontext().copy()
    wide.prec = max(digits, 0) + 4 * DIGITS
    return wide
