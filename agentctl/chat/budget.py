"""The limits of a run put into numbers and words: what is left, what is missing, what was reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentctl.domain.limits import Limits
from agentctl.domain.model import ResolvedModel
from agentctl.domain.usage import format_usd, round_usd
from agentctl.domain.value import value
from agentctl.errors import ConfigError, LimitReached

FLAGS: Mapping[str, str] = {
    "max_cost_usd": "--max-cost",
    "max_cost_usd_per_day": "--max-cost-per-day",
    "max_output_tokens": "--max-output-tokens",
    "max_tool_calls": "--max-tool-calls",
}


@value
class Room:
    """What a limit of cost leaves; `counted` is what was spent, and the worst case of what is under way."""

    key: str
    owner: str
    limit: float
    counted: float

    @property
    def left(self) -> float:
        """USD that may still be spent."""
        return round_usd(self.limit - self.counted)

    def used_up(self, worst: float, reserved: float) -> LimitReached:
        """The error for a request that can cost `worst` and does not fit; `reserved` of it is under way."""
        period = " a day (UTC)" if self.key == "max_cost_usd_per_day" else ""
        spent = f"{format_usd(self.counted - reserved)} USD is spent"
        if reserved:
            spent += f", {format_usd(reserved)} USD is reserved for requests under way"
        return LimitReached(
            f"{self.owner} reached its limit of {format_usd(self.limit)} USD{period}: {spent}, "
            f"and the next request can cost {format_usd(worst)} USD",
            hint=_hint(self.key),
        )


def check_prices(limits: Limits, models: Iterable[ResolvedModel], options: Mapping[str, Any]) -> None:
    """Raise ConfigError where a cost is limited and a model cannot be kept below it.

    That is one of unknown price, or one whose answers nothing bounds. `options` are the agent's.
    """
    if limits.max_cost_usd is None and limits.max_cost_usd_per_day is None:
        return
    key = "max_cost_usd" if limits.max_cost_usd is not None else "max_cost_usd_per_day"
    for model in models:
        known = model.model
        if known.input_price is None or known.output_price is None:
            raise ConfigError(
                f"the price of {model.reference} is unknown, so {key} cannot be kept",
                hint="Declare it under models: with input_price and output_price (USD per million tokens),"
                " or choose another model with -m.",
            )
        bounded = limits.max_output_tokens is not None or output_bound(model, options) is not None
        if known.output_price and not bounded:
            raise ConfigError(
                f"nothing bounds an answer of {model.reference}, so {key} cannot be kept",
                hint="Declare it under models: with max_output_tokens, or set max_tokens in the agent's"
                " options or max_output_tokens in its limits.",
            )


def output_bound(model: ResolvedModel, options: Mapping[str, Any]) -> int | None:
    """The tokens that an answer can have by options and model; the agent's `options` are the strongest."""
    chosen = {**model.provider.options, **model.model.options, **options}.get("max_tokens")
    bounds = [chosen, model.model.max_output_tokens]
    return min((bound for bound in bounds if type(bound) is int and bound > 0), default=None)


def tokens_used_up(limits: Limits) -> LimitReached:
    """The error for a run whose answers have all the tokens they may have."""
    return LimitReached(
        f"the run reached its limit of {limits.max_output_tokens} output tokens",
        hint=_hint("max_output_tokens"),
    )


def calls_used_up(limits: Limits) -> LimitReached:
    """The error for a run that made all the tool calls it may make."""
    return LimitReached(
        f"the run reached its limit of {limits.max_tool_calls} tool calls", hint=_hint("max_tool_calls")
    )


def cut_at(key: str, tokens: int) -> LimitReached:
    """The error for an answer that was cut because a limit left no more for it."""
    return LimitReached(f"the answer was cut at {tokens} tokens, all that {key} left for it", hint=_hint(key))


def _hint(key: str) -> str:
    return f"Raise {key} under limits: in the agent's YAML, or {FLAGS[key]}: the lower one holds."
