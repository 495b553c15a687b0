"""Compares what files declare with what the database holds; touches neither."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.approval import NOTIFY_SETTING
from agentctl.domain.document_limits import DOCUMENT_SETTINGS
from agentctl.domain.plan import Change, FieldChange, Noun, Plan
from agentctl.domain.rule import Rule
from agentctl.domain.tool import Tool
from agentctl.sync.declared import Declared, Origin
from agentctl.sync.losses import check_losses, dangling_note, lost_tools
from agentctl.sync.plain import KEYS, Thing, plain, plain_value
from agentctl.sync.routes import Pairs, key_routes, tool_pairs
from agentctl.sync.state import DEFAULT_MODEL, State

T = TypeVar("T", bound=Thing)


def compare(declared: Declared, state: State, *, prune: bool = False) -> Plan:
    """The plan that brings `state` to what is `declared`; `prune` also deletes.

    Deleted is only what these files created earlier and hold no more. Raises ConfigError where something
    declared needs what is missing, or what would be deleted.
    """
    origin = declared.origin
    sections: list[tuple[Noun, Sequence[Thing], Mapping[str, Thing]]] = [
        ("provider", declared.providers, state.providers),
        ("model", declared.models, state.models),
        ("tool", declared.tools, state.tools),
        ("agent", declared.agents, state.agents),
    ]
    puts = [change for noun, wanted, held in sections for change in _puts(noun, wanted, held, origin)]
    gone = {noun: _gone(wanted, held, origin) if prune else [] for noun, wanted, held in sections}
    check_losses(declared, state, gone)
    side = _side_effects(declared, state, gone)
    deletes = [
        Change("delete", noun, slug, note=dangling_note(noun, slug, declared, state, gone))
        for noun, _, _ in reversed(sections)
        for slug in gone[noun]
    ]
    changes = (*puts, *side, *_setting(declared, state), *deletes)
    total = sum(len(wanted) for _, wanted, _ in sections)
    kept = [provider for slug, provider in state.providers.items() if slug not in gone["provider"]]
    after = {provider.slug: provider for provider in (*kept, *declared.providers)}
    routes = key_routes(
        after.values(),
        state.providers.values(),
        _tool_pairs(declared, state, gone["tool"], gone["agent"]),
        tool_pairs(state.tools, state.agents.values()),
    )
    return Plan(str(origin), changes, total - len(puts), routes, basis=state)


def _tool_pairs(
    declared: Declared, state: State, gone_tools: Collection[str], gone_agents: Collection[str]
) -> Pairs:
    """What tools will send where, once this is applied."""
    tools = {slug: tool for slug, tool in state.tools.items() if slug not in gone_tools}
    agents = {slug: agent for slug, agent in state.agents.items() if slug not in gone_agents}
    tools |= {tool.slug: tool for tool in declared.tools}
    agents |= {agent.slug: agent for agent in declared.agents}
    return tool_pairs(tools, agents.values())


def _puts(noun: Noun, wanted: Iterable[T], held: Mapping[str, T], origin: Origin) -> Iterator[Change]:
    """Creations and updates of what is declared."""
    for thing in wanted:
        current = held.get(thing.slug)
        if current is None:
            fields = tuple(FieldChange(key, None, value) for key, value in _said(thing).items())
            yield Change("create", noun, thing.slug, fields, value=thing)
            continue
        fields = tuple(_differences(current, thing))
        owner = current.source
        if _is_moved(current, thing, origin):
            fields = (*fields, FieldChange("source", owner, thing.source))
            owner = thing.source
        if fields:
            # Whoever created it stays its owner: declaring it elsewhere as well does not expose it to prune.
            value = replace(_with_ends(thing, current), source=owner)
            yield Change("update", noun, thing.slug, fields, value=value)


def _with_ends(thing: T, current: T) -> T:
    """A rule that stays as it is ends when it was to end: applying it again gives it no more time."""
    if not isinstance(thing, Agent | Tool) or not isinstance(current, Agent | Tool):
        return thing
    rules = [
        next((replace(rule, until=held.until) for held in current.approvals if held == rule), rule)
        for rule in thing.approvals
    ]
    return replace(thing, approvals=tuple(rules))


def _said(thing: Thing) -> dict[str, Any]:
    fields = plain(thing)
    del fields["slug"]
    return fields


def _differences(old: Thing, new: Thing) -> Iterator[FieldChange]:
    for key in KEYS[type(new)]:
        before, after = getattr(old, key), getattr(new, key)
        if before is not after and not _is_same(before, after):
            yield FieldChange(key, plain_value(key, before), plain_value(key, after))


def _is_same(before: Any, after: Any) -> bool:
    """Equal in JSON too: to Python, 1 equals true."""
    if before != after:
        return False
    free = _free_parts(before)
    return not free or _text(free) == _text(_free_parts(after))


def _free_parts(value: Any) -> list[Any]:
    """The mappings in a field, whose values may be of any type."""
    if isinstance(value, Mapping):
        return [value] if value else []
    if not isinstance(value, tuple):
        return []
    parts = [_free_part(item) for item in value]
    return [part for part in parts if part and isinstance(part, Mapping)]


def _free_part(item: Any) -> Any:
    if isinstance(item, AgentTool):
        return item.config
    return item.said() if isinstance(item, Rule) else item


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _is_moved(current: Thing, thing: Thing, origin: Origin) -> bool:
    """Whether one of these files created it and another one of them declares it now."""
    return current.source != thing.source and origin.covers(current.source) and origin.covers(thing.source)


def _gone(wanted: Iterable[Thing], held: Mapping[str, Thing], origin: Origin) -> list[str]:
    """What an earlier apply of these files created and they hold no more."""
    slugs = {thing.slug for thing in wanted}
    return [slug for slug, thing in held.items() if slug not in slugs and origin.covers(thing.source)]


def _side_effects(declared: Declared, state: State, gone: Mapping[Noun, Sequence[str]]) -> Iterator[Change]:
    """Agents that no file speaks of, but that lose a tool, or their place as the default."""
    named = {agent.slug for agent in declared.agents}
    new_default = next((agent.slug for agent in declared.agents if agent.is_default), None)
    for slug, agent in state.agents.items():
        if slug in named or slug in gone["agent"]:
            continue
        changed, notes = agent, []
        if new_default and agent.is_default:
            changed = replace(changed, is_default=False)
            notes.append(f'"{new_default}" becomes the default')
        lost = lost_tools(agent, gone)
        if lost:
            changed = replace(changed, tools=tuple(tool for tool in agent.tools if tool.slug not in lost))
            notes.append(f"it loses {', '.join(lost)}")
        if notes:
            yield _side_effect(agent, changed, "; ".join(notes))


def _side_effect(agent: Agent, changed: Agent, note: str) -> Change:
    return Change("update", "agent", agent.slug, tuple(_differences(agent, changed)), note, changed)


def _setting(declared: Declared, state: State) -> Iterator[Change]:
    old, new = state.default_model, declared.default_model
    if new is not None and new != old:
        kind: Any = "update" if old else "create"
        yield Change(kind, "setting", DEFAULT_MODEL, (FieldChange("value", old, new),), value=new)
    held, wanted = state.documents, declared.documents
    if wanted is not None and wanted != held:
        fields = [FieldChange(key, held.get(key), wanted.get(key)) for key in sorted({*held, *wanted})]
        changed = tuple(each for each in fields if each.old != each.new)
        kind = "update" if held else "create"
        yield Change(kind, "setting", DOCUMENT_SETTINGS, changed, value=_text(wanted))
    if declared.notify is not None and declared.notify != state.notify:
        kind = "update" if state.notify else "create"
        words = FieldChange("program", list(state.notify) or None, list(declared.notify))
        yield Change(kind, "setting", NOTIFY_SETTING, (words,), value=_text(declared.notify))
