"""The tool type `calculator`."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.base import ToolType

SECONDS = 1.0
MEGABYTES = 64


@value
class CalculatorArguments:
    """What to compute."""

    expression: str = field(
        metadata={
            "description": 'The expression, such as "37*91", "15% of 80" or "sqrt(2)^3".',
            "min_length": 1,
            "max_length": 10_000,
        }
    )


class Calculator(ToolType):
    """Arithmetic that is exact where it can be."""

    type = "calculator"
    description = (
        "Computes an arithmetic expression exactly. "
        'Example: {"expression": "37*91"} gives 3367. '
        "Knows + - * / // % ^ ! ( ), pi, e and functions: sqrt, round, ln, log10, sin, max, sum, mean ... "
        "Angles are in radians, log(x) is the natural logarithm, 200 + 10% is 220, 7 % 3 is 1, "
        "30/120 in % is 25%. Times: 3h 20m + 45 min, 2 days in h."
    )
    Arguments = CalculatorArguments

    async def run(self, arguments: CalculatorArguments, context: ToolContext) -> dict[str, Any]:
        """`expression` as it was given and `result` as text, so that no digit is lost on the way."""
        # Every operator has its bounds, but a proof for all compositions of them is more than anybody should
        # have to trust: it runs where it can be killed.
        from agentctl.tools.guard.client import run_guarded

        result = await run_guarded(
            "agentctl.tools.calculator.evaluation:calculate",
            arguments.expression,
            timeout=SECONDS,
            memory=MEGABYTES,
        )
        return {"expression": arguments.expression, "result": result}
