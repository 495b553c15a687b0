"""The circular functions, by their series, to all the digits of the context."""

from __future__ import annotations

from decimal import Context, Decimal, getcontext, localcontext

from agentctl.tools.failure import ToolError

PI = Decimal(
    "3.14159265358979323846264338327950288419716939937510"
    "58209749445923078164062862089986280348253421170679821480865132823066470938446095505822317253594081"
)
TAU = PI.fma(2, 0, Context(prec=200))
_SPARE = 15
_LARGEST = Decimal(10) ** 60  # beyond it the digits of pi above no longer reach


def sine(x: Decimal) -> Decimal:
    """sin x, x in radians."""
    with localcontext() as context:
        turned = _reduce(x, context)
        result = term = turned
        square, n = turned * turned, 1
        while term and term.adjusted() > result.adjusted() - context.prec:
            n += 2
            term = -term * square / (n * (n - 1))
            result += term
    return snap(result) if abs(x) > 1 else +result  # a tiny angle has a tiny sine, not none


def cosine(x: Decimal) -> Decimal:
    """cos x, x in radians."""
    with localcontext() as context:
        context.prec += 2 * _SPARE
        shifted = _reduce(x, context) + PI / 2
    return sine(shifted)


def arctangent(x: Decimal) -> Decimal:
    """The angle in radians, between -pi/2 and pi/2, whose tangent is x."""
    with localcontext() as context:
        context.prec += _SPARE
        halvings = 0
        while abs(x) > Decimal("0.1"):  # tan(a/2) = tan a / (1 + sqrt(1 + tan² a))
            x = x / (1 + (1 + x * x).sqrt())
            halvings += 1
        result = term = x
        square, n = x * x, 1
        while term and term.adjusted() > result.adjusted() - context.prec:
            n += 2
            term = -term * square
            result += term / n
        result *= 1 << halvings
    return +result


def snap(value: Decimal) -> Decimal:
    """`value`, or the whole number that differs from it by no more than the last few digits."""
    whole = value.to_integral_value()
    near = Decimal(10) ** (5 - getcontext().prec)
    return whole if 0 < abs(value - whole) < near * max(Decimal(1), abs(whole)) else +value


def _reduce(x: Decimal, context: Context) -> Decimal:
    """`x` less whole turns, between -pi and pi; widens `context` for what the subtraction costs."""
    if abs(x) >= _LARGEST:
        raise ToolError("the angle is too large")
    context.prec += _SPARE + max(0, x.adjusted())
    return x - 2 * PI * (x / (2 * PI)).to_integral_value()
