"""What a request costs, and the most that it can cost, in USD."""

from __future__ import annotations

import math

from agentctl.domain.message import Usage
from agentctl.domain.model import Model
from agentctl.domain.usage import round_usd

# Prices are for so many tokens.
MILLION = 1_000_000
# Tokens that a provider stores for later requests, in input prices (Anthropic's, for five minutes); only
# adapters of protocols that bill them apart count any.
CACHE_WRITE = 1.25
# Input is estimated before it is sent: within 15 % on mixed text, and all of it may have to be stored.
INPUT_MARGIN = 1.2 * CACHE_WRITE


def cost(model: Model, usage: Usage | None) -> float | None:
    """The price of what was used; None where it is unknown, never zero for that.

    `usage` None is an answer whose server did not say what it used: it costs nothing on a model that costs
    nothing, and is unknown on any other.
    """
    if model.input_price is None or model.output_price is None:
        return None
    if usage is None:
        return 0.0 if not model.input_price and not model.output_price else None
    cached_price = model.input_price if model.cached_input_price is None else model.cached_input_price
    plain = max(usage.input - usage.cached - usage.cache_write, 0)
    parts = (
        plain * model.input_price,
        usage.cached * cached_price,
        usage.cache_write * model.input_price * CACHE_WRITE,
        usage.output * model.output_price,
    )
    return round_usd(math.fsum(parts) / MILLION)


def worst_cost(model: Model, estimated_input: int, output: int) -> float | None:
    """What a request can cost at most; None where a price is unknown."""
    if model.input_price is None or model.output_price is None:
        return None
    parts = (estimated_input * INPUT_MARGIN * model.input_price, output * model.output_price)
    return round_usd(math.fsum(parts) / MILLION)


def affordable_output(model: Model, estimated_input: int, wanted: int, amount: float) -> int | None:
    """The most tokens of output, up to `wanted`, with which a request costs no more than `amount` at worst.

    None where the input alone can cost more, or a price is unknown.
    """
    if model.input_price is None or model.output_price is None:
        return None
    left = amount * MILLION - estimated_input * INPUT_MARGIN * model.input_price
    if left < 0:
        return None
    return min(wanted, math.floor(left / model.output_price)) if model.output_price else wanted
