"""How a run begins: as a new row with its message, or with the lease of one that had stopped."""

from __future__ import annotations

from agentctl.chat.holder import current_holder
from agentctl.chat.opening import Opening
from agentctl.chat.takeover import free_session, take_run
from agentctl.documents.titles import first_line
from agentctl.domain.chat import ChatRequest
from agentctl.domain.message import Message, Text
from agentctl.domain.run import Run
from agentctl.domain.value import value
from agentctl.errors import UsageError
from agentctl.store import Store
from agentctl.store.runs import NewRun


@value
class Begun:
    """A run that this process holds: `lease` is its right to write, `seq` the number of its last event."""

    session_id: str
    run_id: str
    lease: int
    seq: int = 0


class AlreadyAsked(Exception):
    """There is a run of this very request already."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.id)
        self.run = run


def begin(store: Store, opening: Opening) -> Begun:
    """Store the user's message and the run, or take the run that the opening goes on with.

    The caller holds the transaction. Raises Busy where another living process works on the session, or a run
    waits there for approval; UsageError for a run that cannot be gone on with; AlreadyAsked.
    """
    if opening.run is not None:
        begun = _go_on(store, opening.run)
        _note_recalled(store, begun.run_id, opening)
        return begun
    request = opening.request
    refuse_repeated(store, opening.user.id, request)
    if opening.session is None:
        session_id = store.sessions.create(
            opening.user.id, opening.agent.id, opening.agent.slug, request.model, opening.revision
        )
    elif request.fork:
        session_id = store.forks.fork(opening.user.id, opening.session.id)
    else:
        session_id = opening.session.id
        free_session(store, session_id, supersede=request.supersede)
    run_id = store.runs.start(_new_run(session_id, opening))
    lease = store.runs.take(run_id, current_holder())
    _note_recalled(store, run_id, opening)
    store.messages.add(
        Message("user", (Text(request.prompt), *request.files), session_id=session_id, run_id=run_id)
    )
    store.sessions.touch(session_id)
    if opening.agent.title_strategy == "first-line":
        store.sessions.set_title(session_id, first_line(request.prompt))
    return Begun(session_id, run_id, lease)


def _note_recalled(store: Store, run_id: str, opening: Opening) -> None:
    recalled = opening.recalled
    if recalled:
        store.runs.note_documents(run_id, {each: each in recalled.untrusted for each in recalled.ids})


def _go_on(store: Store, known: Run) -> Begun:
    # What was read before the transaction may be old: another process may have gone on with it since.
    run = store.runs.get(known.id)
    if run.status == "done":
        raise UsageError(
            f"run {run.id} is done, there is nothing to go on with",
            hint=f'Ask further with agentctl chat -s {run.session_id} "...".',
        )
    take_run(store, run)
    last = store.runs.last(run.session_id)
    if last is not None and last.id != run.id:
        raise UsageError(
            f"session {run.session_id} has gone on since run {run.id}, which stays as it is",
            hint=f'Ask further with agentctl chat -s {run.session_id} "...".',
        )
    lease = store.runs.take(run.id, current_holder())
    store.sessions.touch(run.session_id)
    return Begun(run.session_id, run.id, lease, store.events.last(run.id))


def refuse_repeated(store: Store, user_id: int, request: ChatRequest) -> None:
    """Raise AlreadyAsked where there is a run of this request; UsageError where its prompt was another."""
    if request.request_id is None:
        return
    run = store.runs.of_request(user_id, request.request_id)
    if run is None:
        return
    if run.prompt_hash != _hash(request.prompt):
        raise UsageError(
            f'--request-id "{request.request_id}" was used with another prompt, by run {run.id}',
            hint="Give each question an id of its own.",
        )
    raise AlreadyAsked(run)


def _hash(prompt: str) -> str:
    # Only a request with an id needs it.
    import hashlib

    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()


def _new_run(session_id: str, opening: Opening) -> NewRun:
    request = opening.request
    return NewRun(
        session_id=session_id,
        user_id=opening.user.id,
        agent_slug=opening.agent.slug,
        model=opening.model.reference,
        cwd=request.cwd,
        revision=opening.revision,
        settings=request.settings(),
        request_id=request.request_id,
        prompt_hash=None if request.request_id is None else _hash(request.prompt),
    )
