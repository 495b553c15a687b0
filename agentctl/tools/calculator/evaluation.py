"""Computes the value of an expression and writes it as text."""

from __future__ import annotations

from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow, localcontext

from agentctl.tools.calculator.arithmetic import (
    CONTEXT,
    DIGITS,
    Number,
    divide,
    multiply,
    power,
    settle,
)
from agentctl.tools.calculator.functions import CONSTANTS, FUNCTIONS
from agentctl.tools.calculator.syntax import parse
from agentctl.tools.calculator.times import KEEPING, UNITS, Span, Value, measure, operate, plain, spell, split
from agentctl.tools.failure import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHOWN = 20  # digits of a result that had to be rounded; the other thirty absorb the errors on the way


def calculate(expression: str) -> str:
    """The value of `expression` as text: exact results in full, rounded ones with 20 digits.

    Raises ToolError for what is no expression, has no real value, or is too large.
    """
    tree = parse(expression)
    with localcontext(CONTEXT) as context:
        try:
            value = _convert(tree)
        except Overflow:
            raise ToolError("the result is too large: more than 10^999,999") from None
        except InvalidOperation:
            raise ToolError("the result is not defined for these numbers") from None
        return _write(value, context)


def _write(value: Value | tuple[Number, str], context: Context) -> str:
    """A number as its digits; a time in days, hours, minutes and seconds, or in the unit asked for."""
    if isinstance(value, Span):
        parts = [spell(_show(count, context), unit) for count, unit in split(value)]
        text = " ".join(parts)
        if value.seconds >= 0:
            return text
        return f"-{text}" if len(parts) == 1 else f"-({text})"
    if isinstance(value, tuple):
        return spell(_show(value[0], context), value[1])
    return _show(value, context)


def _convert(node: tuple[Any, ...]) -> Value | tuple[Number, str]:
    if node[0] != "in":
        return _evaluate(node)
    value, unit = _evaluate(node[1]), node[2]
    return (multiply(plain(value, "a percentage"), 100) if unit == "%" else measure(value, unit)), unit


def _evaluate(node: tuple[Any, ...]) -> Value:
    kind = node[0]
    if kind == "number":
        return _read(node[1])
    if kind == "chain":
        return _run_chain(node[1], node[2])
    if kind == "negative":
        value = _evaluate(node[1])
        return Span(-value.seconds) if isinstance(value, Span) else -value
    if kind == "time":
        return Span(multiply(plain(_evaluate(node[1]), "a unit"), UNITS[node[2]]))
    if kind == "percent":
        return divide(plain(_evaluate(node[1]), "%"), 100)
    if kind == "power":
        return power(plain(_evaluate(node[1]), "a power"), plain(_evaluate(node[2]), "a power"))
    if kind == "name":
        return _constant(node[1])
    if kind == "call":
        return _call(node[1], node[2])
    if len(node[1]) > 1:
        raise ToolError("a list of numbers can only stand in a function, such as max(1, 2)")
    return _evaluate(node[1][0])


def _read(text: str) -> Number:
    whole = text.isdigit() and len(text) <= 4_000
    return int(text) if whole else settle(+Decimal(text))


def _run_chain(first: tuple[Any, ...], rest: list[tuple[str, tuple[Any, ...]]]) -> Value:
    """Left to right. `200 + 10%` adds ten percent of 200, as pocket calculators do; `5% + 10%` is 15%."""
    value = _evaluate(first)
    only_percents = first[0] == "percent"
    for operator, node in rest:
        operand = _evaluate(node)
        relative = node[0] == "percent" and not only_percents and operator in ("+", "-")
        only_percents = only_percents and node[0] == "percent"
        value = operate(operator, value, operate("*", value, operand) if relative else operand)
    return value


def _constant(name: str) -> Number:
    if name in CONSTANTS:
        return +CONSTANTS[name]
    raise _unknown(name)


def _call(name: str, nodes: list[tuple[Any, ...]]) -> Value:
    if name not in FUNCTIONS:
        raise _unknown(name)
    function, least, most = FUNCTIONS[name]
    if len(nodes) == 1 and nodes[0][0] == "list":  # max([1, 2]), as programmers write it
        nodes = nodes[0][1]
    if not least <= len(nodes) <= most:
        wanted = f"{least}" if least == most else f"{least} or more" if most > 2 else f"{least} or {most}"
        raise ToolError(f"{name} takes {wanted} numbers, not {len(nodes)}")
    values = [_evaluate(node) for node in nodes]
    spans = [value.seconds for value in values if isinstance(value, Span)]
    if name in KEEPING and len(spans) == len(values):
        return Span(function(*spans))
    return function(*(plain(value, name) for value in values))


def _unknown(name: str) -> ToolError:
    from agentctl.errors import did_you_mean  # only now: it costs more than the rest of the calculation

    known = [*FUNCTIONS, *CONSTANTS]
    return ToolError(f'unknown name "{name[:40]}"{did_you_mean(name, known)}')


def _show(value: Number, context: Context) -> str:
    if isinstance(value, int):
        return str(value)
    if context.flags[Inexact]:
        value = Context(prec=_SHOWN).plus(value)
    value = settle(value.normalize(Context(prec=DIGITS)))
    if isinstance(value, int) or -_SHOWN < value.adjusted() < DIGITS:
        return f"{value:f}" if isinstance(value, Decimal) else str(value)
    return f"{value:e}"
