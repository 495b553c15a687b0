"""Trigonometric and hyperbolic functions: their domains, and what they are made of."""

from __future__ import annotations

from decimal import Decimal

from agentctl.tools.calculator.arithmetic import Number, divide, settle
from agentctl.tools.calculator.series import PI, arctangent, cosine, sine, snap
from agentctl.tools.failure import ToolError

# Below this, sinh, tanh and their inverses equal their argument in more digits than are shown.
_TINY = Decimal("1e-15")


def sin(x: Number) -> Number:
    """The sine of x radians."""
    return settle(sine(Decimal(x)))


def cos(x: Number) -> Number:
    """The cosine of x radians."""
    return settle(cosine(Decimal(x)))


def tan(x: Number) -> Number:
    """The tangent of x radians."""
    below = cosine(Decimal(x))
    if below == 0:
        raise ToolError("the tangent is not defined there")
    ratio = sine(Decimal(x)) / below
    return settle(snap(ratio) if abs(Decimal(x)) > _TINY else ratio)


def asin(x: Number) -> Number:
    """The angle between -pi/2 and pi/2 with this sine."""
    return atan2(x, _other_side(x))


def acos(x: Number) -> Number:
    """The angle between 0 and pi with this cosine."""
    return atan2(_other_side(x), x)


def atan(x: Number) -> Number:
    """The angle between -pi/2 and pi/2 with this tangent."""
    return settle(arctangent(Decimal(x)))


def atan2(y: Number, x: Number) -> Number:
    """The direction of the point (x, y), between -pi and pi."""
    y, x = Decimal(y), Decimal(x)
    if x > 0:
        return settle(arctangent(y / x))
    if x < 0:
        return settle(arctangent(y / x) + PI.copy_sign(y))
    return settle((PI / 2).copy_sign(y)) if y else 0


def degrees(x: Number) -> Number:
    """x radians in degrees."""
    return settle(snap(Decimal(x) * 180 / PI) if abs(Decimal(x)) > _TINY else Decimal(x) * 180 / PI)


def radians(x: Number) -> Number:
    """x degrees in radians."""
    return settle(Decimal(x) * PI / 180)


def sinh(x: Number) -> Number:
    """The hyperbolic sine."""
    if abs(Decimal(x)) < _TINY:
        return x
    grown = abs(Decimal(x)).exp()
    return settle(((grown - 1 / grown) / 2).copy_sign(Decimal(x)))


def cosh(x: Number) -> Number:
    """The hyperbolic cosine."""
    grown = abs(Decimal(x)).exp()
    return settle((grown + 1 / grown) / 2)


def tanh(x: Number) -> Number:
    """The hyperbolic tangent."""
    if abs(Decimal(x)) > 1_000:
        return 1 if x > 0 else -1
    return divide(sinh(x), cosh(x))


def asinh(x: Number) -> Number:
    """The inverse of sinh."""
    if abs(Decimal(x)) < _TINY:
        return x
    size = abs(Decimal(x))
    return settle((size + (size * size + 1).sqrt()).ln().copy_sign(Decimal(x)))


def acosh(x: Number) -> Number:
    """The inverse of cosh, at least 0."""
    if x < 1:
        raise ToolError("acosh needs a number of at least 1")
    size = Decimal(x)
    return settle((size + (size * size - 1).sqrt()).ln())


def atanh(x: Number) -> Number:
    """The inverse of tanh."""
    if abs(Decimal(x)) >= 1:
        raise ToolError("atanh needs a number between -1 and 1")
    if abs(Decimal(x)) < _TINY:
        return x
    return settle(((1 + Decimal(x)) / (1 - Decimal(x))).ln() / 2)


def _other_side(x: Number) -> Number:
    if abs(Decimal(x)) > 1:
        raise ToolError("asin and acos need a number between -1 and 1")
    return settle(((1 - Decimal(x)) * (1 + Decimal(x))).sqrt())
