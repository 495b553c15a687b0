"""How a model is told to think: by effort, or by a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentctl.providers.anthropic.options import MessagesOptions

# The least that a server accepts, and what stands for each word where only a budget is understood.
_LEAST = 1024
_BUDGETS = {"minimal": _LEAST, "low": 2048, "medium": 8192, "high": 16384, "xhigh": 24576, "max": 32768}
_FORMS = ("adaptive", "budget")


def choose_form(options: MessagesOptions, refused: Sequence[str]) -> str | None:
    """The form in which to ask for thoughts: the one that is wanted, then the other, then none."""
    wanted = options.thinking_form or ("budget" if options.thinking_budget else "adaptive")
    forms = sorted(_FORMS, key=lambda form: form != wanted)
    tries = refused.count("thinking")
    return forms[tries] if tries < len(forms) else None


def find_budget(options: MessagesOptions) -> int:
    """Tokens for thoughts where nothing else limits them."""
    effort = options.thinking_effort or "medium"
    return max(options.thinking_budget or _BUDGETS.get(effort, _BUDGETS["medium"]), _LEAST)


def find_effort(options: MessagesOptions) -> str | None:
    """The word for how hard to think, None where the model's own default is as good."""
    if options.thinking_effort:
        return "low" if options.thinking_effort == "minimal" else options.thinking_effort
    if not options.thinking_budget:
        return None
    words = ("low", "medium", "high")
    return next((word for word in words if options.thinking_budget <= _BUDGETS[word]), "high")


def build_thinking(form: str | None, options: MessagesOptions, max_tokens: int) -> dict[str, Any] | None:
    """The parameter `thinking`; None where it is not asked for, or would leave nothing for the answer.

    Newer models keep their thoughts to themselves unless they are asked to sum them up.
    """
    if form == "adaptive":
        return {"type": "adaptive", "display": "summarized"}
    # Thoughts count as output: a quarter of it stays for the answer.
    budget = min(find_budget(options), max_tokens - max_tokens // 4)
    if form is None or budget < _LEAST or budget >= max_tokens:
        return None
    return {"type": "enabled", "budget_tokens": budget}
