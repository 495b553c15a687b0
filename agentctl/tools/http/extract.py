"""JMESPath: checks an expression, and takes what it names out of an answer, within bounds."""

from __future__ import annotations

import json
import sys

from agentctl.domain.surrogates import mend
from agentctl.tools.failure import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MOST_VALUES = 200_000
LONGEST_FAULT = 300


def find_syntax_fault(expression: str) -> str | None:
    """What is wrong with an expression; None for a sound one."""
    import jmespath
    from jmespath.exceptions import JMESPathError
    from jmespath.functions import Functions

    try:
        parsed = jmespath.compile(expression).parsed
        unknown = sorted(set(_functions(parsed)) - set(Functions.FUNCTION_TABLE))
    except JMESPathError as error:
        return f"is no JMESPath: {_first_line(error)}"
    except RecursionError:
        return "is no JMESPath that can be read: it is nested too deep"
    return f"calls a function that JMESPath does not have: {unknown[0]}" if unknown else None


def perform(request: Mapping[str, Any]) -> dict[str, Any]:
    """`value` of the JSON in `text`, or what `result` names in it; `{}` for what is no JSON.

    Runs in a guarded child where this may take long; `folder` is where it finds JMESPath. Raises ToolError
    where `result` does not fit, or names too much.
    """
    try:
        # NaN and Infinity are no JSON, and null is what a reader can do with.
        document = json.loads(request["text"], parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return {}
    if request["result"]:
        document = _extract(request["result"], document, request["folder"])
    return {"value": _bound(document)}


def find_folder() -> str:
    """Where JMESPath is installed."""
    from importlib.util import find_spec

    spec = find_spec("jmespath")
    return (spec.origin or "").rpartition("/jmespath/")[0] if spec else ""


def _extract(expression: str, data: Any, folder: str) -> Any:
    if folder not in sys.path:
        sys.path.append(folder)
    import jmespath
    from jmespath.exceptions import JMESPathError

    try:
        return jmespath.search(expression, data)
    except JMESPathError as error:
        raise ToolError(f"the answer does not fit the tool's `result`: {_first_line(error)}") from None
    except RecursionError:
        raise ToolError("the answer is nested too deep for the tool's `result`") from None


def _bound(data: Any) -> Any:
    """`data` as JSON that can be stored. Raises ToolError where it has too many values.

    An expression can name one part of an answer any number of times.
    """
    left = MOST_VALUES

    def walk(part: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise ToolError(f"the result has more than {MOST_VALUES:,} values")
        if isinstance(part, str):
            return mend(part)
        if isinstance(part, dict):
            return {mend(key): walk(inner) for key, inner in part.items()}
        return [walk(inner) for inner in part] if isinstance(part, list) else part

    try:
        return walk(data)
    except RecursionError:
        raise ToolError("the answer is nested too deep") from None


def _functions(node: Any) -> Iterator[str]:
    if node["type"] == "function_expression":
        yield node["value"]
    for child in node["children"]:
        if isinstance(child, dict):
            yield from _functions(child)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(":")[:LONGEST_FAULT]
