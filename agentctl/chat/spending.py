"""What one run may still use, what it used, and the sums that keep many processes below one limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.chat.budget import Room, calls_used_up, check_prices, cut_at, output_bound, tokens_used_up
from agentctl.domain.limits import Limits
from agentctl.domain.message import Usage
from agentctl.domain.model import ResolvedModel
from agentctl.domain.usage import Payer, Purpose, Spent
from agentctl.domain.value import value
from agentctl.errors import LimitReached
from agentctl.models.pricing import affordable_output, cost, worst_cost
from agentctl.store import Store

# An answer of fewer tokens is worth no request.
LEAST_OUTPUT = 16
# A title is short, but a model may think before it gives one.
TITLE_OUTPUT = 2_000


@value
class Reservation:
    """One request: `max_output` bounds its tokens (None: no limit of ours does).

    `limit` is the key of the limit that left less than the model gives. `row` is None where no limit is set.
    """

    model: ResolvedModel
    purpose: Purpose = "chat"
    max_output: int | None = None
    limit: str | None = None
    row: int | None = None


class Spending:
    """The requests and tool calls of one run: each is allowed before it is made and settled after it.

    One answer is asked for at a time; asking for the next says that nothing came of one that was not settled.
    `spent` is what the settled answers used, and `calls` what was called, both from before where the run is
    gone on with. Without limits nothing is read, and one row a request written.
    """

    def __init__(
        self,
        store: Store,
        payer: Payer,
        limits: Limits,
        options: Mapping[str, Any],
        *,
        spent: Spent | None = None,
        calls: int = 0,
    ) -> None:
        self._store = store
        self._payer = payer
        self._limits = limits
        self._options = options
        self._open: Reservation | None = None
        self._calls = calls
        self._agent = payer.agent or ""
        self.spent = spent or Spent()

    @property
    def is_limited(self) -> bool:
        """Whether a request has to be estimated before it is sent."""
        return self._limits.bounds_requests

    def reserve(
        self, model: ResolvedModel, estimated_input: int, *, purpose: Purpose = "chat"
    ) -> Reservation:
        """Allow a request and count its worst case, in one transaction with the sums it is compared with.

        Where all of it would pass a limit the answer is made shorter, down to LEAST_OUTPUT tokens. Raises
        LimitReached where not even that fits, ConfigError where a cost is limited and cannot be known.
        """
        if purpose == "chat":
            self.release(self._open)
        reservation = Reservation(model, purpose)
        if self._limits.bounds_requests:
            check_prices(self._limits, [model], self._options)
            with self._store.transaction():
                reservation = self._take(model, estimated_input, purpose)
        if purpose == "chat":
            self._open = reservation
        return reservation

    def settle(
        self,
        reservation: Reservation,
        usage: Usage | None,
        message_id: str | None = None,
        *,
        received: int | None = None,
    ) -> float | None:
        """Store what a request really used and return its cost, None where that is unknown.

        `usage` is None where the server did not say: the cost is unknown then, and limits go on counting the
        worst case, but `received` tokens of output where those are known. Joins the caller's transaction.
        """
        self._close(reservation)
        price = cost(reservation.model.model, usage)
        rows, origin = self._store.usage, reservation.model.origin
        if reservation.row is None:
            rows.record(self._payer, origin, reservation.purpose, usage, price, message_id=message_id)
        else:
            rows.settle(reservation.row, usage, price, message_id=message_id, output=received)
        if reservation.purpose == "chat":
            self.spent += Spent(1, usage or Usage(), price, int(price is None))
        return price

    def release(self, reservation: Reservation | None) -> None:
        """Nothing came of a request: it failed before its first token, and costs nothing."""
        if reservation is None:
            return
        self._close(reservation)
        if reservation.row is not None:
            self._store.usage.release(reservation.row)

    def finish(self) -> None:
        """The run is over: an answer that is still under way was broken off, and its cost is unknown."""
        if self._open is not None:
            self.settle(self._open, None)

    def allow_calls(self, count: int) -> int:
        """How many of the next `count` tool calls may run; they count as made."""
        most = self._limits.max_tool_calls
        allowed = count if most is None else min(count, most - self._calls)
        self._calls += allowed
        return allowed

    def calls_used_up(self) -> LimitReached:
        """The error for a call that was not allowed."""
        return calls_used_up(self._limits)

    def cut(self, reservation: Reservation) -> LimitReached | None:
        """The error for an answer that ended at `max_output`; None where the model's own limit cut it."""
        if reservation.limit is None or reservation.max_output is None:
            return None
        return cut_at(reservation.limit, reservation.max_output)

    def _take(self, model: ResolvedModel, estimated_input: int, purpose: Purpose) -> Reservation:
        output, limit = self._wanted_output(model, purpose)
        for room in self._rooms(purpose):
            wanted = output or 0
            least = min(LEAST_OUTPUT, wanted)
            fits = affordable_output(model.model, estimated_input, wanted, room.left)
            if fits is None or fits < least:
                raise self._used_up(room, worst_cost(model.model, estimated_input, least) or 0.0)
            if fits < wanted:
                output, limit = fits, room.key
        worst = worst_cost(model.model, estimated_input, output or 0) or 0.0
        row = self._store.usage.reserve(
            self._payer, model.origin, purpose, cost_usd=worst, output=output or 0
        )
        return Reservation(model, purpose, output, limit, row)

    def _wanted_output(self, model: ResolvedModel, purpose: Purpose) -> tuple[int | None, str | None]:
        """The tokens that an answer may have before money is counted, and the limit of ours that says so."""
        bound = output_bound(model, self._options)
        if purpose != "chat":
            return min(bound or TITLE_OUTPUT, TITLE_OUTPUT), None
        most = self._limits.max_output_tokens
        if most is None:
            return bound, None
        left = most - self._counted()[1]
        if left <= 0:
            raise tokens_used_up(self._limits)
        return (left, "max_output_tokens") if bound is None or left < bound else (bound, None)

    def _rooms(self, purpose: Purpose) -> list[Room]:
        """What each limit of cost leaves; a title belongs to the agent's day alone."""
        rooms = []
        run, day = self._limits.max_cost_usd, self._limits.max_cost_usd_per_day
        if run is not None and purpose == "chat":
            rooms.append(Room("max_cost_usd", "the run", run, self._counted()[0]))
        if day is not None:
            rooms.append(
                Room(
                    "max_cost_usd_per_day",
                    f"agent {self._agent}",
                    day,
                    self._store.usage.spent_today(self._agent),
                )
            )
        return rooms

    def _used_up(self, room: Room, worst: float) -> LimitReached:
        is_day = room.key == "max_cost_usd_per_day"
        return room.used_up(worst, self._store.usage.reserved_today(self._agent) if is_day else 0.0)

    def _counted(self) -> tuple[float, int]:
        return self._store.usage.counted_for_run(self._payer.run_id or "")

    def _close(self, reservation: Reservation) -> None:
        if reservation is self._open:
            self._open = None
