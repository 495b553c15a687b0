"""Cuts an expression into numbers, names and operators, whatever script its digits and signs are in."""

from __future__ import annotations

import re

from agentctl.tools.calculator.times import BY_WORD
from agentctl.tools.failure import ToolError

Token = tuple[str, str, int]  # kind ("number", "unit", "name", "operator" or "end"), text, place
CONVERTING = ("as", "in", "to")

_SIGNS = {
    **{0xFF01 + offset: chr(0x21 + offset) for offset in range(94)},  # full width forms of ASCII
    **dict.fromkeys(map(ord, "×✕∙·⋅"), "*"),
    **dict.fromkeys(map(ord, "÷∕"), "/"),
    **dict.fromkeys(map(ord, "−–"), "-"),
    ord("π"): "pi",
    ord("τ"): "tau",
    **dict.fromkeys(map(ord, "\u3000\u00a0\u2009\u202f\n\r\t"), " "),
}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

_SPACE = re.compile(" *")
_POWER = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_CODED = re.compile(r"0(?:[xX][0-9a-fA-F]{1,64}|[bB][01]{1,64}|[oO][0-7]{1,64})(?![0-9A-Za-z_])")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9]|,[0-9])(?:\.[0-9]+)?")
_PLAIN = re.compile(r"(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TIMES = re.compile(r"[xX](?= *[0-9.(])")
_NAME = re.compile(r"(?:math\.)?([A-Za-z_][A-Za-z_0-9]*)")
_UNIT = re.compile(rf"({'|'.join(sorted(BY_WORD, key=len, reverse=True))})(?![A-Za-z_]| *\()", re.IGNORECASE)
_MODULO = re.compile(r"% +[+-](?! )")  # `7 % -3` with these very spaces; `10% - 3` is a percentage
_OPERATOR = re.compile(r"\*\*|//|[-+*/%^!(),√\[\]]")


def tokenize(expression: str) -> list[Token]:
    """The tokens of `expression`, the last of kind "end".

    Commas between digits are thousands separators outside function calls only: `1,234.5` is one number,
    `max(1,234)` has two. Raises ToolError for a character that has no place in an expression.
    """
    text = "".join(map(_digit, expression.translate(_SIGNS))).strip(" =?")
    tokens: list[Token] = []
    calls: list[bool] = []
    at = _skip(text, 0)
    while at < len(text):
        found, end = _next(text, at, tokens, in_call=calls[-1:] == [True])
        tokens.extend(found)
        _track(calls, tokens)
        at = _skip(text, end)
    return [*tokens, ("end", "", len(text))]


def _next(text: str, at: int, before: list[Token], *, in_call: bool) -> tuple[list[Token], int]:
    if match := _POWER.match(text, at):
        return [("operator", "^", at), ("number", match[0].translate(_SUPERSCRIPTS), at)], match.end()
    if match := _CODED.match(text, at):
        return [("number", str(int(match[0], 0)), at)], match.end()
    if match := (None if in_call else _GROUPED.match(text, at)) or _PLAIN.match(text, at):
        return [("number", match[0].replace(",", "").replace("_", ""), at)], match.end()
    after_value = bool(before) and (before[-1][0] != "operator" or before[-1][1] in (")", "!", "%"))
    if after_value and (match := _TIMES.match(text, at)):
        return [("operator", "*", at)], match.end()
    if _takes_unit(before) and (match := _UNIT.match(text, at)):
        return [("unit", BY_WORD[match[0].lower()], at)], match.end()
    if match := _NAME.match(text, at):
        name = match[1].lower()
        sign = {"mod": "mod", "of": "*", "percent": "%"}.get(name) if after_value else None
        return [("operator", sign, at) if sign else ("name", name, at)], match.end()
    if text[at - 1 : at] == " " and _MODULO.match(text, at):
        return [("operator", "mod", at)], at + 1
    if match := _OPERATOR.match(text, at):
        sign = match[0].replace("**", "^").replace("[", "(").replace("]", ")")
        return [("operator", sign, at)], match.end()
    hint = "; write a length of time as 1 h 30 min" if text[at] == ":" else ""
    shown = f'"{text[at]}"' if text[at].isprintable() else f"the control character U+{ord(text[at]):04X}"
    raise ToolError(f"unexpected {shown} at character {at + 1}{hint}")


def _takes_unit(before: list[Token]) -> bool:
    """Whether a unit of time may come next: after a number, a bracket, and where a unit is asked for."""
    kind, text, _ = before[-1] if before else ("", "", 0)
    return kind == "number" or text == ")" or (kind == "name" and text in CONVERTING)


def _track(calls: list[bool], tokens: list[Token]) -> None:
    """Keep in `calls`, one entry per open bracket, whether it stands in a function call."""
    sign = tokens[-1][1]
    if sign == "(":
        calls.append(calls[-1:] == [True] or (len(tokens) > 1 and tokens[-2][0] == "name"))
    elif sign == ")" and calls:
        calls.pop()


def _digit(character: str) -> str:
    """Decimal digits of any script as ASCII, everything else unchanged."""
    return str(int(character)) if character.isdecimal() else character


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
