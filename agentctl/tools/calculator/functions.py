"""The calculator's named functions and constants: roots, logarithms, rounding, averages, and the table."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, Decimal, getcontext

from agentctl.tools.calculator import curves, wholes
from agentctl.tools.calculator.arithmetic import Number, add, divide, modulo, multiply, power, settle
from agentctl.tools.calculator.series import PI, TAU, snap
from agentctl.tools.failure import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CONSTANTS = {
    "e": Decimal("2.71828182845904523536028747135266249775724709369995957496696762772407663"),
    "phi": Decimal("1.61803398874989484820458683436563811772030917980576286213544862270526046"),
    "pi": PI,
    "tau": TAU,
}


def sqrt(x: Number) -> Number:
    """The square root, exact where there is one."""
    if x < 0:
        raise ToolError("a negative number has no real square root")
    if isinstance(x, int) and math.isqrt(x) ** 2 == x:
        return math.isqrt(x)
    return settle(Decimal(x).sqrt())


def cbrt(x: Number) -> Number:
    """The cube root, also of negative numbers, exact where there is one."""
    if x == 0:
        return 0
    root = (abs(Decimal(x)) ** (1 / Decimal(3))).copy_sign(Decimal(x))
    near = settle(snap(root))
    return near if isinstance(near, int) and near**3 == x else settle(root)


def hypot(*values: Number) -> Number:
    """The root of the sum of the squares."""
    return sqrt(total(*(multiply(value, value) for value in values)))


def ln(x: Number) -> Number:
    """The natural logarithm."""
    _refuse_logarithm(x)
    return settle(Decimal(x).ln())


def log10(x: Number) -> Number:
    """The logarithm to base 10."""
    _refuse_logarithm(x)
    return settle(Decimal(x).log10())


def log(x: Number, base: Number | None = None) -> Number:
    """The logarithm to `base`, the natural one without."""
    if base is None or base == 10:
        return ln(x) if base is None else log10(x)
    if base == 1:
        raise ToolError("there is no logarithm to base 1")
    return settle(snap(Decimal(ln(x)) / Decimal(ln(base))))


def round_half_up(x: Number, places: Number = 0) -> Number:
    """x to a number of decimal places (negative: tens, hundreds), halves away from zero."""
    return _round(x, wholes.whole(places, "rounding to places"), ROUND_HALF_UP)


def total(*values: Number) -> Number:
    """The sum."""
    result: Number = 0
    for value in values:
        result = add(result, value)
    return result


def mean(*values: Number) -> Number:
    """The arithmetic mean."""
    return divide(total(*values), len(values))


def median(*values: Number) -> Number:
    """The value in the middle, or the mean of the two there."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else mean(ordered[middle - 1], ordered[middle])


def _round(x: Number, places: int, how: str) -> Number:
    number = Decimal(x)
    if places >= -int(number.as_tuple().exponent):
        return x
    if places < -number.adjusted() - 1:
        return 0
    wide = getcontext().copy()
    wide.prec = len(number.as_tuple().digits) + 2
    rounded = number.quantize(Decimal((0, (1,), -places)), how, wide)
    return int(rounded) if isinstance(x, int) else settle(rounded)


def _refuse_logarithm(x: Number) -> None:
    if x <= 0:
        raise ToolError("a logarithm needs a number above 0")


_MANY = 10_000

# name: (function, least, most number of arguments)
FUNCTIONS: dict[str, tuple[Callable[..., Number], int, int]] = {
    "abs": (abs, 1, 1),
    "acos": (curves.acos, 1, 1),
    "acosh": (curves.acosh, 1, 1),
    "asin": (curves.asin, 1, 1),
    "asinh": (curves.asinh, 1, 1),
    "atan": (curves.atan, 1, 1),
    "atan2": (curves.atan2, 2, 2),
    "atanh": (curves.atanh, 1, 1),
    "avg": (mean, 1, _MANY),
    "cbrt": (cbrt, 1, 1),
    "ceil": (lambda x: _round(x, 0, ROUND_CEILING), 1, 1),
    "comb": (wholes.comb, 2, 2),
    "cos": (curves.cos, 1, 1),
    "cosh": (curves.cosh, 1, 1),
    "degrees": (curves.degrees, 1, 1),
    "exp": (lambda x: settle(Decimal(x).exp()), 1, 1),
    "factorial": (wholes.factorial, 1, 1),
    "floor": (lambda x: _round(x, 0, ROUND_FLOOR), 1, 1),
    "gcd": (wholes.gcd, 1, _MANY),
    "hypot": (hypot, 1, _MANY),
    "lcm": (wholes.lcm, 1, _MANY),
    "ln": (ln, 1, 1),
    "log": (log, 1, 2),
    "log10": (log10, 1, 1),
    "log2": (lambda x: log(x, 2), 1, 1),
    "max": (lambda *values: max(values), 1, _MANY),
    "mean": (mean, 1, _MANY),
    "median": (median, 1, _MANY),
    "min": (lambda *values: min(values), 1, _MANY),
    "mod": (modulo, 2, 2),
    "perm": (wholes.perm, 2, 2),
    "pow": (power, 2, 2),
    "radians": (curves.radians, 1, 1),
    "round": (round_half_up, 1, 2),
    "sin": (curves.sin, 1, 1),
    "sinh": (curves.sinh, 1, 1),
    "sqrt": (sqrt, 1, 1),
    "sum": (total, 1, _MANY),
    "tan": (curves.tan, 1, 1),
    "tanh": (curves.tanh, 1, 1),
    "trunc": (lambda x: _round(x, 0, ROUND_DOWN), 1, 1),
}
