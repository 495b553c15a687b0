"""Everything a turn has to know before it starts: all the reads of a run are here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agentctl.chat.budget import check_prices
from agentctl.chat.candidates import Ready, find_ready
from agentctl.chat.toolbox import Toolbox
from agentctl.domain.agent import Agent
from agentctl.domain.chat import ChatRequest
from agentctl.domain.deadline import Deadline
from agentctl.domain.limits import Limits
from agentctl.domain.model import Provider, ResolvedModel
from agentctl.domain.run import Run
from agentctl.domain.session import Session
from agentctl.domain.user import User
from agentctl.domain.value import value
from agentctl.errors import NotFound, UsageError
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Adapter
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.documents.recollection import Recalled
    from agentctl.domain.rule import Rule

# What a user's own documents say to a question: (user id, question, budget in tokens).
Recall = Callable[[int, str, int], "Recalled"]


@value
class Opening:
    """A turn that can start: who speaks with whom, on which model, with which tools.

    `rules` are those of flags. `session` is None where a new one begins; `run` is one that stopped and is
    gone on with. `recalled` is None where the agent has no `memory`.
    """

    request: ChatRequest
    user: User
    agent: Agent
    session: Session | None
    ready: Ready
    toolbox: Toolbox
    thinking: bool
    max_steps: int
    revision: int
    limits: Limits
    rules: tuple[Rule, ...] = ()
    run: Run | None = None
    recalled: Recalled | None = None

    @property
    def model(self) -> ResolvedModel:
        """The model that is asked first."""
        return self.ready.model

    @property
    def system(self) -> str:
        """The system prompt of this run, and behind it what it is reminded of."""
        prompt = self.agent.system_prompt if self.request.system is None else self.request.system
        parts = (prompt, self.recalled.text if self.recalled else "")
        return "\n\n".join(part for part in parts if part)


def open_turn(
    store: Store,
    resolver: Resolver,
    load_adapter: Callable[[Provider], Adapter],
    make_toolbox: Callable[[Agent], Toolbox],
    recall: Recall,
    deadline: Deadline,
    request: ChatRequest,
    run: Run | None = None,
) -> Opening:
    """Find agent, session, model and tools; writes nothing but the user's first row.

    The time of the run counts from here: finding a key may take a while.
    Raises UsageError, NotFound, CredentialsError or ConfigError before anything of the run is stored.
    """
    rules = _read_rules(request)
    user = store.users.ensure(request.user)
    session = find_session(store, user, request)
    agent = find_agent(store, request, session)
    limits = agent.limits.tightened(request.limits)
    deadline.start(limits.timeout)
    ready = find_ready(resolver.choose(agent, user, session, request.model), load_adapter)
    _check_files(request, ready)
    check_prices(limits, (ready.model, *ready.fallbacks), agent.options)
    tools_on = _first(request.tools, session.enable_tools if session else None, agent.enable_tools)
    thinking = _first(request.thinking, session.enable_thinking if session else None, agent.enable_thinking)
    toolbox = make_toolbox(agent) if tools_on else Toolbox()
    if rules and run is None:
        _check_rules(rules, store, toolbox)
    return Opening(
        request=request,
        user=user,
        agent=agent,
        session=session,
        ready=ready,
        toolbox=toolbox.without((*agent.approvals, *rules)),
        thinking=thinking,
        max_steps=agent.max_step_count if request.max_steps is None else request.max_steps,
        revision=store.revisions.current(),
        limits=limits,
        rules=rules,
        run=run,
        recalled=_remember(store, recall, agent, user, request, run) if agent.memory.auto else None,
    )


def _remember(
    store: Store, recall: Recall, agent: Agent, user: User, request: ChatRequest, run: Run | None
) -> Recalled:
    """What fits the question of this run; one that is gone on with had its question before."""
    from agentctl.chat.egress import own_words

    asked = request.prompt
    if run is not None:
        asked = next((each.text for each in store.messages.of_run(run.id) if each.role == "user"), "")
    return recall(user.id, own_words(asked) or asked, agent.memory.budget)


def _read_rules(request: ChatRequest) -> tuple[Rule, ...]:
    if not request.allow and not request.deny:
        return ()
    from agentctl.chat.flag_rules import read_flag_rules

    return read_flag_rules(request.allow, request.deny)


def _check_rules(rules: tuple[Rule, ...], store: Store, toolbox: Toolbox) -> None:
    """Only at the start: a tool that is gone meanwhile must keep no run from being gone on with."""
    from agentctl.chat.flag_rules import check_flag_rules

    check_flag_rules(rules, [tool.slug for tool in store.tools.list()], toolbox.tools)


def _check_files(request: ChatRequest, ready: Ready) -> None:
    for file in request.files:
        if file.kind not in ready.inputs:
            takes = f"takes {' and '.join(sorted(ready.inputs))} files" if ready.inputs else "reads only text"
            raise UsageError(
                f"{file.name}: {ready.model.reference} {takes}, and this is {file.media_type}",
                hint="Choose another model with -m, or declare what it takes with inputs: in models:.",
            )


def find_session(store: Store, user: User, request: ChatRequest) -> Session | None:
    """The session the request goes on with, or None for a new one."""
    if request.session is not None:
        return store.sessions.find(user.id, request.session)
    if not request.follow:
        return None
    return store.sessions.find(user.id, "@last")


def find_agent(store: Store, request: ChatRequest, session: Session | None) -> Agent:
    """The agent of the session, the one that is named, or the default one."""
    if session is not None:
        return _agent_of(store, session)
    if request.agent is None:
        agent = store.agents.default()
        if agent is None:
            raise NotFound(
                "there is no enabled agent", hint="Declare one in agents.yaml, then agentctl apply."
            )
        return agent
    return enabled_agent(store, request.agent)


def enabled_agent(store: Store, slug: str) -> Agent:
    """The agent with this slug; raises NotFound for none and for a disabled one."""
    try:
        agent = store.agents.require(slug)
    except NotFound as error:
        default = store.agents.default()
        # A prompt of one word, such as "hello", is taken for an agent too.
        way = f' If "{slug}" is a prompt: agentctl chat {default.slug} "{slug}".' if default else ""
        raise NotFound(error.message, hint=f"{error.hint}{way}") from None
    if not agent.enabled:
        raise NotFound(
            f'agent "{slug}" is disabled', hint="Set enabled: true in its YAML, then agentctl apply."
        )
    return agent


def _agent_of(store: Store, session: Session) -> Agent:
    if session.agent is None:
        raise UsageError(
            f"the agent of session {session.id} is gone, so it can be read but not continued",
            hint='Start a new one with agentctl chat "...".',
        )
    return enabled_agent(store, session.agent)


def _first(*values: bool | None) -> bool:
    return next(value for value in values if value is not None)
