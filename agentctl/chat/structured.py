"""Checks an answer that has a JSON Schema to keep to, and asks for a better one once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agentctl.errors import SchemaBroken

# Says how a value breaks the schema, one sentence each; [] for one that keeps to it.
Checker = Callable[[Any], list[str]]


class StructuredOutput:
    """The answers of one run. `value` is the last one that kept to the schema, `text` its JSON."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._faults: list[str] = []
        self._repaired = False
        self.value: Any = None
        self.text: str | None = None

    def check(self, text: str) -> bool:
        """Whether `text` is JSON that keeps to the schema."""
        try:
            found = json.loads(text)
        except ValueError:
            self._faults = ["the answer is not JSON"]
            return False
        self._faults = self._checker(found)
        if self._faults:
            return False
        self.value, self.text = found, json.dumps(found, ensure_ascii=False)
        return True

    def repair(self) -> str | None:
        """What to say to the model about its last answer, the first time that one is wrong; else None."""
        if not self._faults or self._repaired:
            return None
        self._repaired = True
        return f"That does not keep to the schema: {'; '.join(self._faults)}. Answer again with JSON only."

    def require(self) -> None:
        """Raise SchemaBroken where the last answer did not keep to the schema."""
        if self._faults:
            raise SchemaBroken(f"the answer breaks the schema: {'; '.join(self._faults)}")
