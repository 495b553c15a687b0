"""What a run has behind it: its answers, its calls and what became of them."""

from __future__ import annotations

from agentctl.domain.message import Message, Usage
from agentctl.domain.stored_call import StoredCall
from agentctl.domain.usage import Spent
from agentctl.domain.value import value

# Answers that were broken off; a run that goes on asks for them again.
BROKEN_OFF = ("aborted", "failed", "interrupted")


@value
class Progress:
    """A run's `messages` as its model reads them next, and what it used.

    `last` is the newest whole answer. Where its calls are not all done, or no request was made with their
    results, `messages` ends with it; `calls` are all calls of the run.
    """

    messages: tuple[Message, ...]
    last: Message | None = None
    num_turns: int = 0
    asked_again: bool = False
    calls: tuple[StoredCall, ...] = ()
    spent: Spent = Spent()

    @property
    def usage(self) -> Usage:
        """Tokens of all answers so far."""
        return self.spent.usage

    @property
    def is_answered(self) -> bool:
        """Whether the last thing that was said is a whole answer of this run."""
        return self.last is not None and self.messages[-1] is self.last

    @property
    def earlier_calls(self) -> tuple[StoredCall, ...]:
        """The calls of all answers but the last."""
        last = self.last.id if self.last else None
        return tuple(stored for stored in self.calls if stored.message_id != last)


def read_progress(
    history: tuple[Message, ...], run_id: str, calls: list[StoredCall], spent: Spent
) -> Progress:
    """The progress of a run whose session has this history.

    What was broken off is left out where its run has gone on, or goes on now: it is asked for again.
    """
    ends = {message.run_id: message.id for message in history if message.id}
    messages = [
        message
        for message in history
        if message.status not in BROKEN_OFF
        or (message.run_id != run_id and ends[message.run_id] == message.id)
    ]
    mine = [message for message in messages if message.run_id == run_id]
    answers = [message for message in mine if message.role == "assistant"]
    last = answers[-1] if answers else None
    # The history answers every call, those without a result too; what is open is answered for real now.
    if last is not None and messages[-1].role == "tool" and messages[-2] is last:
        messages.pop()
    return Progress(
        messages=tuple(messages),
        last=last,
        num_turns=len(answers),
        asked_again=sum(message.role == "user" for message in mine) > 1,
        calls=tuple(calls),
        spent=spent,
    )
