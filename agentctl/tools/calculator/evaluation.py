"""Computes the value of an expression and writes it as text."""

from __future__ import annotations

from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow, localcontext

from agentctl.tools.calculator.arithmetic import (
    CONTEXT,
    DIGITS,
    OPERATORS,
    Number,
    divide,
    multiply,
    power,
    settle,
)
from agentctl.tools.calculator.functions import CONSTANTS, FUNCTIONS
from agentctl.tools.calculator.syntax import parse
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
            value = _evaluate(tree)
        except Overflow:
            raise ToolError("the result is too large: more than 10^999,999") from None
        except InvalidOperation:
            raise ToolError("the result is not defined for these numbers") from None
        return _show(value, context)


def _evaluate(node: tuple[Any, ...]) -> Number:
    kind = node[0]
    if kind == "number":
        return _read(node[1])
    if kind == "chain":
        return _run_chain(node[1], node[2])
    if kind == "negative":
        return -_evaluate(node[1])
    if kind == "percent":
        return divide(_evaluate(node[1]), 100)
    if kind == "power":
        return power(_evaluate(node[1]), _evaluate(node[2]))
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


def _run_chain(first: tuple[Any, ...], rest: list[tuple[str, tuple[Any, ...]]]) -> Number:
    """Left to right. `200 + 10%` adds ten percent of 200, as pocket calculators do; `5% + 10%` is 15%."""
    value = _evaluate(first)
    only_percents = first[0] == "percent"
    for operator, node in rest:
        operand = _evaluate(node)
        relative = node[0] == "percent" and not only_percents and operator in ("+", "-")
        only_percents = only_percents and node[0] == "percent"
        value = OPERATORS[operator](value, multiply(value, operand) if relative else operand)
    return value


def _constant(name: str) -> Number:
    if name in CONSTANTS:
        return +CONSTANTS[name]
    raise _unknown(name)


def _call(name: str, nodes: list[tuple[Any, ...]]) -> Number:
    if name not in FUNCTIONS:
        raise _unknown(name)
    function, least, most = FUNCTIONS[name]
    if len(nodes) == 1 and nodes[0][0] == "list":  # max([1, 2]), as programmers write it
        nodes = nodes[0][1]
    if not least <= len(nodes) <= most:
        wanted = f"{least}" if least == most else f"{least} or more" if most > 2 else f"{least} or {most}"
        raise ToolError(f"{name} takes {wanted} numbers, not {len(nodes)}")
    return function(*map(_evaluate, nodes))


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
