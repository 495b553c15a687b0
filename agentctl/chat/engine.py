"""The one path of every conversation: a request goes in, a stream of events comes out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any

from agentctl.chat.abort import Abort
from agentctl.chat.asking import Asking
from agentctl.chat.beginning import refuse_repeated
from agentctl.chat.caller import Caller
from agentctl.chat.calls import Calls
from agentctl.chat.egress import Egress
from agentctl.chat.ending import end
from agentctl.chat.opening import Opening, Recall, open_turn
from agentctl.chat.policy import Policy
from agentctl.chat.recorder import Recorder
from agentctl.chat.spending import Spending
from agentctl.chat.titling import Titles, Titling
from agentctl.chat.toolbox import Toolbox
from agentctl.chat.turn import Turn
from agentctl.domain.agent import Agent
from agentctl.domain.chat import ChatRequest
from agentctl.domain.deadline import Deadline
from agentctl.domain.event import Event
from agentctl.domain.model import Provider
from agentctl.domain.question import Ask
from agentctl.domain.run import Run
from agentctl.domain.usage import Payer
from agentctl.errors import AgentctlError, Stopped, TimeLimit
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Adapter
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.chat.structured import Checker, StructuredOutput


class Engine:
    """Runs turns. `ask` puts a tool call to a person; None where nobody can be asked.

    `recall` finds what an agent with `memory` is reminded of. `make_checker` makes of a JSON Schema what says
    how a value breaks it.
    `attempts` is how often a request that fails for a moment is made, as long as nothing was said.
    """

    def __init__(
        self,
        store: Store,
        resolver: Resolver,
        load_adapter: Callable[[Provider], Adapter],
        make_toolbox: Callable[[Agent], Toolbox],
        recall: Recall,
        make_checker: Callable[[Mapping[str, Any]], Checker],
        ask: Ask | None,
        attempts: int,
        deadline: Deadline,
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._load_adapter = load_adapter
        self._make_toolbox = make_toolbox
        self._recall = recall
        self._make_checker = make_checker
        self._ask = ask
        self._attempts = attempts
        self._deadline = deadline
        self._titles = Titles(store, resolver, load_adapter)

    def open(self, request: ChatRequest) -> Opening:
        """Everything a run needs before its first row; may wait for a command that prints a key.

        Raises what is wrong with the request itself, and AlreadyAsked. Called outside of the event loop, so
        that a signal can interrupt it.
        """
        # Before models are chosen: what was answered already needs none.
        refuse_repeated(self._store, self._store.users.ensure(request.user).id, request)
        return self._open(request)

    def reopen(self, run: Run, request: ChatRequest) -> Opening:
        """Everything that is needed to go on with a run; as `open`."""
        return self._open(request, run)

    def _open(self, request: ChatRequest, run: Run | None = None) -> Opening:
        return open_turn(
            self._store,
            self._resolver,
            self._load_adapter,
            self._make_toolbox,
            self._recall,
            self._deadline,
            request,
            run,
        )

    def run(self, opening: Opening, abort: Abort) -> AsyncGenerator[Event, None]:
        """The events of one run; the last is always `result`.

        Raises Busy before anything is stored. From then on every ending, whatever the reason, is committed
        and reported as a `result`.
        """
        recorder = Recorder(self._store, opening)
        started = recorder.begin()
        progress = recorder.progress
        caller = Caller(recorder)
        calls = Calls(recorder, self._policy(opening, recorder, caller), caller)
        payer = Payer(opening.user.id, opening.agent.slug, recorder.session_id, recorder.run_id)
        spending = Spending(
            self._store,
            payer,
            opening.limits,
            opening.agent.options,
            spent=progress.spent,
            calls=len(progress.earlier_calls),
        )
        asking = Asking(
            opening, spending, self._load_adapter, attempts=self._attempts, deadline=self._deadline.at
        )
        structured = self._structured(opening, repaired=progress.asked_again)
        turn = Turn(opening, recorder, calls, asking, spending, structured)
        return _run(turn, Titling(self._titles, turn), started, abort, self._deadline)

    def _policy(self, opening: Opening, recorder: Recorder, caller: Caller) -> Policy:
        return Policy(
            approve_all=opening.request.approve_all,
            ask=self._ask,
            grants=recorder.grants,
            egress=self._egress(opening, recorder),
            rules=(*opening.rules, *opening.agent.approvals),
            on_approval=opening.request.on_approval or "ask",
            explain=caller.explain,
            find_grants=partial(self._store.grants.usable, opening.user.id, opening.agent.slug),
        )

    def _egress(self, opening: Opening, recorder: Recorder) -> Egress | None:
        if opening.agent.egress == "allow":
            return None
        return Egress(partial(self._store.calls.holdings, recorder.session_id), recorder.progress.messages)

    def _structured(self, opening: Opening, *, repaired: bool) -> StructuredOutput | None:
        schema = opening.request.schema
        if schema is None:
            return None
        from agentctl.chat.structured import StructuredOutput

        return StructuredOutput(self._make_checker(schema), repaired=repaired)


async def _run(
    turn: Turn, title: Titling, started: Event, abort: Abort, deadline: Deadline
) -> AsyncGenerator[Event, None]:
    """The steps and the ending; nothing leaves here without a committed end."""
    error: AgentctlError | None = None
    timer = _start_timer(turn.opening.limits.timeout, deadline.left(), abort)
    watch = asyncio.create_task(turn.recorder.lease.watch(abort))
    try:
        yield started
        title.start_beside()
        for warning in turn.opening.request.warnings:
            yield turn.warn("stdin", warning)
        for warning in turn.opening.ready.passed_over:
            yield turn.warn("fallback", warning)
        for kind, warning in turn.opening.toolbox.warnings:
            yield turn.warn(kind, warning)
        async with aclosing(turn.steps()) as steps:
            async for event in steps:
                yield event
    except AgentctlError as caught:
        error = caught
    except asyncio.CancelledError:
        error = abort.accept()
        if error is None:
            _finish(turn, Stopped("the run was cancelled"))
            raise
    except GeneratorExit:
        _finish(turn, Stopped("the run was left before its end"))
        raise
    except Exception as bug:
        _finish(turn, AgentctlError(f"unexpected {type(bug).__name__}: {bug}"))
        raise
    finally:
        watch.cancel()
        if timer:
            timer.cancel()
    # All of it is committed before any of it is shown: whoever looks may stop looking here.
    for event in _finish(turn, error):
        yield event
    await title.finish(abort)


def _finish(turn: Turn, error: AgentctlError | None) -> list[Event]:
    """Commit how the run ended; what had been said is kept, and a limit is said before the result."""
    events = []
    kept = turn.cut("aborted") if error else None
    turn.spending.finish()
    if kept:
        events.append(kept)
    if error is not None and error.kind == "limit":
        events.append(turn.warn("limit", error.message))
    events.append(turn.recorder.finish(*end(turn, error)))
    return events


def _start_timer(timeout: float | None, left: float | None, abort: Abort) -> asyncio.TimerHandle | None:
    if timeout is None or left is None:
        return None
    error = TimeLimit(f"the time limit of {timeout:g} s passed", hint="Allow more with --timeout SECONDS.")
    return asyncio.get_running_loop().call_later(left, abort.trigger, error)
