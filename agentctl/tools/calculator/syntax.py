"""Reads an expression into a tree, by precedence.

    whole    sum (("in" | "to" | "as") ("%" | unit))?
    sum      product (("+" | "-") product)*
    product  sign (("*" | "/" | "//" | "%" | "mod") sign)*
    sign     ("+" | "-")* power
    power    postfix ("^" sign)?                     so that -2^2 is -4 and 2^3^2 is 2^9
    postfix  "√"* value ("!" | "%")*                 a "%" before a value is modulo, any other is percent
    value    time+ | number | name | name "(" list ")" | "(" list ")"
    time     (number | "(" list ")") unit            so that 3h 20m is one value

Nodes are tuples: ("number", text), ("name", name), ("call", name, nodes), ("list", nodes),
("negative", node), ("percent", node), ("chain", node, [(operator, node), ...]) from left to right,
("power", node, node), ("time", node, unit), ("in", node, unit or "%").
"""

from __future__ import annotations

from agentctl.tools.calculator.tokens import CONVERTING, Token, tokenize
from agentctl.tools.failure import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 100  # six Python frames a level; Python itself stops at 1,000 frames


def parse(expression: str) -> tuple[Any, ...]:
    """The tree of `expression`. Raises ToolError that says what is wrong where."""
    reader = _Reader(tokenize(expression))
    if reader.kind == "end":
        raise ToolError("the expression is empty")
    tree = reader.converted()
    if reader.kind != "end":
        raise reader.unexpected()
    return tree


def _too_deep() -> ToolError:
    return ToolError(f"the expression is nested more than {DEEPEST} levels deep")


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0

    @property
    def kind(self) -> str:
        return self.tokens[self.place][0]

    @property
    def sign(self) -> str:
        """The operator at this place, else an empty string."""
        kind, text, _ = self.tokens[self.place]
        return text if kind == "operator" else ""

    def advance(self) -> str:
        text = self.tokens[self.place][1]
        self.place += 1
        return text

    def unexpected(self) -> ToolError:
        kind, text, at = self.tokens[self.place]
        if kind == "end":
            return ToolError("the expression ends too early")
        before = self.tokens[self.place - 1] if self.place else ("operator", "", 0)
        if text == ")":
            return ToolError(f'unexpected ")" at character {at + 1}')
        if text == ",":
            return ToolError(f'unexpected "," at character {at + 1}; decimals are written with a point')
        if before[0] != "operator" or before[1] in (")", "!", "%"):
            return ToolError(f'an operator is missing before "{text[:20]}" at character {at + 1}')
        return ToolError(f'unexpected "{text[:20]}" at character {at + 1}')

    def converted(self) -> tuple[Any, ...]:
        tree = self.sum()
        if self.kind != "name" or self.tokens[self.place][1] not in CONVERTING:
            return tree
        word = self.advance()
        if self.kind != "unit" and self.sign != "%":
            raise ToolError(f'"{word}" is followed by "%" or a unit of time such as h, min, s or days')
        return ("in", tree, self.advance())

    def sum(self) -> tuple[Any, ...]:
        first = self.product()
        rest = []
        while self.sign in ("+", "-"):
            rest.append((self.advance(), self.product()))
        return ("chain", first, rest) if rest else first

    def product(self) -> tuple[Any, ...]:
        first = self.signed()
        rest = []
        while self.sign in ("*", "/", "//", "%", "mod"):
            rest.append((self.advance(), self.signed()))
        return ("chain", first, rest) if rest else first

    def signed(self) -> tuple[Any, ...]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _too_deep()
        negative = False
        while self.sign in ("+", "-"):
            negative ^= self.advance() == "-"
        node = self.power()
        self.depth -= 1
        return ("negative", node) if negative else node

    def power(self) -> tuple[Any, ...]:
        base = self.postfix()
        if self.sign != "^":
            return base
        self.advance()
        return ("power", base, self.signed())

    def postfix(self) -> tuple[Any, ...]:
        signs = 0  # counts all signs around the value, for each nests the tree
        while self.sign == "√":
            self.advance()
            signs += 1
        node = self.value()
        for _ in range(signs):
            node = ("call", "sqrt", [node])
        while self.sign == "!" or (self.sign == "%" and not self._before_value()):
            signs += 1
            node = ("percent", node) if self.advance() == "%" else self._factorial(node)
        if signs > DEEPEST:
            raise _too_deep()
        return node

    def _before_value(self) -> bool:
        kind, text, _ = self.tokens[self.place + 1]
        return kind in ("number", "name") or text in ("(", "√")

    def _factorial(self, node: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.sign == "!":
            raise ToolError('"!!" means different things to different people; write (5!)! or the product')
        return ("call", "factorial", [node])

    def value(self) -> tuple[Any, ...]:
        node = self._unitless()
        if self.kind != "unit":
            return node
        node = ("time", node, self.advance())
        rest = []
        while self.kind == "number" and self.tokens[self.place + 1][0] == "unit":
            rest.append(("+", ("time", self._unitless(), self.advance())))
        return ("chain", node, rest) if rest else node

    def _unitless(self) -> tuple[Any, ...]:
        if self.kind == "number":
            return ("number", self.advance())
        if self.kind == "name":
            name = self.advance()
            return ("call", name, self.items()) if self.sign == "(" else ("name", name)
        if self.sign == "(":
            items = self.items()
            if not items:
                raise ToolError("there is nothing between the brackets")
            return ("list", items)
        raise self.unexpected()

    def items(self) -> list[tuple[Any, ...]]:
        self.advance()
        found: list[tuple[Any, ...]] = []
        if self.sign == ")":
            self.advance()
            return found
        found.append(self.sum())
        while self.sign == ",":
            self.advance()
            found.append(self.sum())
        if self.kind == "end":
            raise ToolError('a ")" is missing')
        if self.sign != ")":
            raise self.unexpected()
        self.advance()
        return found
