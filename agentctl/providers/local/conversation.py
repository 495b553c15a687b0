"""The second of two requests: the conversation as plain turns that fit into the context of a small model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentctl.domain.message import Message, ToolOutput
from agentctl.domain.tokens import MESSAGE_TOKENS, estimate_tokens
from agentctl.providers.local.outcome import Outcome
from agentctl.providers.local.route import Choice

Wire = dict[str, Any]

# What the router's prompt may take of a context that both share.
ROUTER_TOKENS = 2048
# More history than this makes a small model slow and no wiser.
HISTORY_TOKENS = 2048
_LEFT_OUT = "\n[...]\n"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One user message and what followed it: words, and calls with their results."""

    question: str
    answer: str
    outcomes: tuple[Outcome, ...]


def read_exchanges(messages: Sequence[Message]) -> list[Exchange]:
    """The history, one entry for each user message; the last is the one to be answered."""
    outputs = {
        part.call_id: part for message in messages for part in message.parts if isinstance(part, ToolOutput)
    }
    groups: list[list[Message]] = []
    for message in messages:
        if message.role == "user" or not groups:
            groups.append([])
        groups[-1].append(message)
    return [_read_exchange(group, outputs) for group in groups]


def build_turns(exchanges: Sequence[Exchange], system: str, budget: int) -> list[Wire]:
    """The messages of a chat request of about `budget` tokens: the oldest exchanges go first.

    A question that alone is too long loses its middle, and so does the system prompt beyond half of it all.
    """
    system = shorten(system.strip(), budget // 2)
    room = budget - estimate_tokens(system)
    question = shorten(exchanges[-1].question, room)
    room -= estimate_tokens(question) + MESSAGE_TOKENS
    turns: list[Wire] = [{"role": "system", "content": system}] if system else []
    for exchange in _recent(exchanges[:-1], min(room, HISTORY_TOKENS)):
        turns += _spell(exchange)
    return [*turns, {"role": "user", "content": question}]


def _recent(exchanges: Sequence[Exchange], room: int) -> Sequence[Exchange]:
    """The newest exchanges that fit into `room` tokens.

    They are dropped half a room at a time: each drop changes the start of the prompt, and the server then has
    to compute all of it again.
    """
    sizes = [_size(exchange) for exchange in exchanges]
    excess = sum(sizes) - room
    if excess <= 0:
        return exchanges
    step = max(room // 2, 1)
    to_drop = -(-excess // step) * step
    for position, size in enumerate(sizes):
        if to_drop <= 0:
            return exchanges[position:]
        to_drop -= size
    return ()


def _size(exchange: Exchange) -> int:
    return sum(estimate_tokens(turn["content"]) + MESSAGE_TOKENS for turn in _spell(exchange))


def choices_before(exchanges: Sequence[Exchange], count: int) -> list[tuple[str, Choice | None]]:
    """The last `count` requests before the one to be answered, each with the tool that was called for it."""
    return [(exchange.question, _choice(exchange)) for exchange in exchanges[:-1][-count:]]


def shorten(text: str, tokens: int) -> str:
    """`text` without its middle, if it has more than about `tokens`."""
    estimate = estimate_tokens(text)
    if estimate <= tokens:
        return text
    keep = max(int(len(text) * max(tokens, 0) / estimate) - len(_LEFT_OUT), 0)
    tail = keep // 3
    return text[: keep - tail] + _LEFT_OUT + text[len(text) - tail :]


def _read_exchange(group: Sequence[Message], outputs: Mapping[str, ToolOutput]) -> Exchange:
    question = "\n\n".join(message.text for message in group if message.role == "user")
    answers = [message.text for message in group if message.role == "assistant" and message.text.strip()]
    outcomes = tuple(
        Outcome(call, outputs[call.id]) for message in group for call in message.calls if call.id in outputs
    )
    return Exchange(question, "\n\n".join(answers), outcomes)


def _spell(exchange: Exchange) -> list[Wire]:
    """An earlier exchange as two turns; a result that nobody put into words stands for the answer."""
    answer = exchange.answer or "\n".join(outcome.output.text for outcome in exchange.outcomes)
    turns = [{"role": "user", "content": exchange.question}]
    return [*turns, {"role": "assistant", "content": answer}] if answer else turns


def _choice(exchange: Exchange) -> Choice | None:
    for outcome in exchange.outcomes:
        if outcome.call.arguments is not None:
            return Choice(outcome.call.name, outcome.call.arguments)
    return None
