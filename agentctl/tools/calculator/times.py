"""Lengths of time in expressions: their units, what can be computed with them, how they are written."""

from __future__ import annotations

from decimal import Decimal

from agentctl.tools.calculator.arithmetic import OPERATORS, Number, add, divide, multiply
from agentctl.tools.failure import ToolError

# Seconds of each unit that always has the same length: months and years do not.
UNITS: dict[str, Number] = {
    "weeks": 604_800,
    "days": 86_400,
    "h": 3_600,
    "min": 60,
    "s": 1,
    "ms": Decimal("0.001"),
    "µs": Decimal("0.000001"),
}
_WORDS = {
    "weeks": "w wk wks week weeks 周 星期 个星期",
    "days": "d day days 天 日",
    "h": "h hr hrs hour hours 小时 个小时",
    "min": "m min mins minute minutes 分 分钟",
    "s": "s sec secs second seconds 秒 秒钟",
    "ms": "ms msec millisecond milliseconds 毫秒",
    "µs": "us µs μs microsecond microseconds 微秒",
}
BY_WORD = {word: unit for unit, words in _WORDS.items() for word in words.split()}
# Functions that make a time of times as they make a number of numbers.
KEEPING = frozenset({"abs", "avg", "max", "mean", "median", "min", "sum"})


class Span:
    """A length of time."""

    __slots__ = ("seconds",)

    def __init__(self, seconds: Number) -> None:
        self.seconds = seconds


Value = Number | Span


def operate(sign: str, left: Value, right: Value) -> Value:
    """`left sign right`. Raises ToolError where a time and a number do not go together."""
    if not isinstance(left, Span) and not isinstance(right, Span):
        return OPERATORS[sign](left, right)
    if isinstance(left, Span) and isinstance(right, Span):
        if sign == "*":
            raise ToolError("a time cannot be multiplied by a time")
        result = OPERATORS[sign](left.seconds, right.seconds)
        return result if sign in ("/", "//") else Span(result)
    if sign == "*":
        number, span = (left, right) if isinstance(right, Span) else (right, left)
        return Span(multiply(plain(number, "this"), span.seconds if isinstance(span, Span) else span))
    if sign == "/" and isinstance(left, Span):
        return Span(divide(left.seconds, plain(right, "this")))
    if sign == "/":
        raise ToolError("a number cannot be divided by a time; write (1/2) h for half an hour")
    raise ToolError(f'"{sign}" needs two times or two numbers; a number needs a unit, such as 5 min')


def plain(value: Value, what: str) -> Number:
    """`value`, where it is a number. Raises ToolError, naming `what` asked for one."""
    if isinstance(value, Span):
        raise ToolError(f"{what} needs numbers, not times")
    return value


def measure(value: Value, unit: str) -> Number:
    """A time in a unit. Raises ToolError for a number."""
    if not isinstance(value, Span):
        raise ToolError(f"a number without a unit cannot be given in {unit}; write 90 min in h")
    return divide(value.seconds, UNITS[unit])


def split(span: Span) -> list[tuple[Number, str]]:
    """A time without its sign in days, hours, minutes and seconds; only the last may be a fraction."""
    rest: Number = -span.seconds if span.seconds < 0 else span.seconds
    parts: list[tuple[Number, str]] = []
    for unit in ("days", "h", "min"):
        count = OPERATORS["//"](rest, UNITS[unit])
        rest = add(rest, -multiply(count, UNITS[unit]))
        parts.append((count, unit))
    return [(count, unit) for count, unit in (*parts, (rest, "s")) if count] or [(0, "s")]


def spell(text: str, unit: str) -> str:
    """A number with its unit: `1 day`, `2 days`, `25%`."""
    if unit == "%":
        return f"{text}%"
    return f"{text} {unit.removesuffix('s') if text in ('1', '-1') and len(unit) > 2 else unit}"
