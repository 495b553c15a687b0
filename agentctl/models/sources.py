"""The places that may name the model of a conversation, the strongest first."""

from __future__ import annotations

from agentctl.domain.agent import Agent
from agentctl.domain.session import Session
from agentctl.domain.user import User
from agentctl.domain.value import value


@value
class Source:
    """One place. `references` are the models that it names, best first; () where it names none.

    `reason` completes "this model was chosen because it is ...".
    """

    name: str
    reason: str
    references: tuple[str, ...] = ()


def list_sources(
    agent: Agent,
    user: User,
    session: Session | None,
    *,
    flag: str | None,
    variable: str | None,
    default: str | None,
    embedded: str,
) -> list[Source]:
    """All places, in the order of the contract; the last one always names a model.

    `flag` is what -m says, `variable` AGENTCTL_MODEL, `default` the global default. A `flag` that is equal to
    the variable counts as coming from there: callers merge the two.
    """
    if flag is not None and flag == variable:
        flag = None
    return [
        Source("-m", "given with -m", _one(flag)),
        Source("AGENTCTL_MODEL", "given with AGENTCTL_MODEL", () if flag else _one(variable)),
        Source("session", "the session's model", _one(session.model if session else None)),
        Source("preferred", "the user's preferred model", _one(user.preferred_model)),
        Source(
            f"agent {agent.slug}",
            f"the default of agent {agent.slug}",
            tuple(dict.fromkeys(agent.default_model)),
        ),
        Source("global default", "the global default", _one(default)),
        Source("embedded", "the embedded model, because nothing else names one", (embedded,)),
    ]


def _one(reference: str | None) -> tuple[str, ...]:
    return (reference,) if reference else ()
