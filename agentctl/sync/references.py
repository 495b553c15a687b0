"""Names that must mean something: tools, models and providers that agents and models refer to."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from agentctl.errors import did_you_mean
from agentctl.providers import BUILT_IN
from agentctl.sync.entries import Contents, Entry
from agentctl.sync.state import State


@dataclass(frozen=True, slots=True)
class Known:
    """The slugs that may be referred to: declared now, in the database, or built in."""

    providers: Collection[str]
    models: Collection[str]
    tools: Collection[str]


def known_slugs(entries: Iterable[Entry], state: State) -> Known:
    """Everything that is known once `entries` are applied; an entry with other faults counts."""
    declared: dict[str, set[str]] = {"providers": set(), "models": set(), "tools": set(), "agents": set()}
    for entry in entries:
        if entry.slug:
            declared[entry.section].add(entry.slug)
    return Known(
        providers={*BUILT_IN, *state.providers, *declared["providers"]},
        models={*state.models, *declared["models"]},
        tools={*state.tools, *declared["tools"]},
    )


def model_fault(reference: str, known: Known) -> str | None:
    """Why `reference` means no model: neither a declared one nor `provider/model` with a known provider."""
    if reference in known.models:
        return None
    provider, slash, name = reference.partition("/")
    if not slash:
        guess = did_you_mean(reference, known.models)
        return f'unknown model "{reference}"{guess}: declare it under models:, or write provider/model'
    if provider not in known.providers:
        return f'unknown provider "{provider}" in "{reference}"{did_you_mean(provider, known.providers)}'
    return None if name else f'"{reference}" names no model after the /'


def check_top(contents: Contents, known: Known) -> None:
    """Report a `default_model` of a file that means no model."""
    reference = contents.top.get("default_model")
    fault = model_fault(reference, known) if reference else None
    if fault:
        contents.report.at_value(contents.raw, "default_model", f"default_model: {fault}")


def check_references(entry: Entry, known: Known) -> None:
    """Report every name in `entry` that means nothing."""
    if entry.section == "agents":
        _check_models(entry, known)
        if "tools" in entry.sound:
            _check_tools(entry, known)
    elif entry.section == "models":
        provider = entry.sound.get("provider")
        if provider and provider not in known.providers:
            guess = did_you_mean(provider, known.providers)
            entry.report.at_value(entry.raw, "provider", f'unknown provider "{provider}"{guess}')


def _check_models(entry: Entry, known: Known) -> None:
    for key in ("default_model", "title_model"):
        value: Any = entry.sound.get(key)
        if isinstance(value, str):
            fault = model_fault(value, known)
            if fault:
                entry.report.at_value(entry.raw, key, f"{key}: {fault}")
        elif value:
            for index, reference in enumerate(value):
                fault = model_fault(reference, known)
                if fault:
                    entry.report.at_value(entry.raw[key], index, f"{key}: {fault}")


def _check_tools(entry: Entry, known: Known) -> None:
    """Positions come from the raw list, which still has what was not sound."""
    items = entry.raw["tools"]
    for index, item in enumerate(items):
        slug = item.get("slug") if isinstance(item, dict) else item
        if not isinstance(slug, str) or not slug or slug in known.tools:
            continue
        message = f'unknown tool "{slug}"{did_you_mean(slug, known.tools)}'
        if isinstance(item, dict):
            entry.report.at_value(item, "slug", message)
        else:
            entry.report.at_value(items, index, message)
