"""What a plan would break: names that something still needs although they go, or never came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from agentctl.domain.agent import Agent
from agentctl.domain.plan import Noun
from agentctl.errors import ConfigError
from agentctl.providers import BUILT_IN
from agentctl.sync.declared import Declared
from agentctl.sync.references import Known, model_fault
from agentctl.sync.state import State

Gone = Mapping[Noun, Sequence[str]]


def check_losses(declared: Declared, state: State, gone: Gone) -> None:
    """Raise ConfigError where something declared refers to what is not there after the plan.

    Validation saw all names, but --prune may take some, and the database may have changed since.
    """
    known = _known_after(declared, state, gone)
    problems = list(_problems(declared, known))
    if problems:
        hint = "take the references out of the files, or declare what is missing"
        raise ConfigError(problems[0], hint=hint, problems=problems)


def lost_tools(agent: Agent, gone: Gone) -> list[str]:
    """The tools of `agent` that go."""
    return [tool.slug for tool in agent.tools if tool.slug in gone["tool"]]


def dangling_note(noun: Noun, slug: str, declared: Declared, state: State, gone: Gone) -> str | None:
    """Who in the database goes on naming a model or provider that goes; no file speaks of them."""
    if noun not in ("model", "provider"):
        return None
    agents = {*gone["agent"], *(agent.slug for agent in declared.agents)}
    models = {*gone["model"], *(model.slug for model in declared.models)}
    left = replace(
        state,
        default_model=declared.default_model or state.default_model,
        agents={name: agent for name, agent in state.agents.items() if name not in agents},
        models={name: model for name, model in state.models.items() if name not in models},
    )
    users = list_users(noun, slug, left)
    return f"still named by {', '.join(users)}" if users else None


def list_users(noun: Noun, slug: str, state: State) -> list[str]:
    """Everything in `state` that names this model or provider: the global default, models and agents."""
    default = state.default_model
    users = ["the global default"] if default and _means(default, noun, slug) else []
    if noun == "provider":
        users += [f"model {model.slug}" for model in state.models.values() if model.provider == slug]
    users += [
        f"agent {agent.slug}"
        for agent in state.agents.values()
        if any(_means(each, noun, slug) for each in _references(agent))
    ]
    return users


def _known_after(declared: Declared, state: State, gone: Gone) -> Known:
    def names(noun: Noun, held: Mapping[str, object], wanted: Iterator[str]) -> set[str]:
        return {*held} - {*gone[noun]} | {*wanted}

    providers = names("provider", state.providers, (each.slug for each in declared.providers))
    models = names("model", state.models, (each.slug for each in declared.models))
    tools = names("tool", state.tools, (each.slug for each in declared.tools))
    return Known(providers=providers | {*BUILT_IN}, models=models, tools=tools)


def _problems(declared: Declared, known: Known) -> Iterator[str]:
    for model in declared.models:
        if model.provider not in known.providers:
            yield f'model {model.slug} needs the provider "{model.provider}", which would not be there'
    for agent in declared.agents:
        for tool in agent.tools:
            if tool.slug not in known.tools:
                yield f'agent {agent.slug} needs the tool "{tool.slug}", which would not be there'
        for reference in _references(agent):
            if model_fault(reference, known):
                yield f'agent {agent.slug} needs the model "{reference}", which would not be there'
    default = declared.default_model
    if default and model_fault(default, known):
        yield f'default_model needs the model "{default}", which would not be there'


def _references(agent: Agent) -> tuple[str, ...]:
    return (*agent.default_model, agent.title_model) if agent.title_model else agent.default_model


def _means(reference: str, noun: Noun, slug: str) -> bool:
    return reference == slug if noun == "model" else reference.partition("/")[0] == slug and "/" in reference
