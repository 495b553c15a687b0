"""Providers that are made, changed and removed with commands; those of files belong to their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentctl.app.edits import TAKE_OUT, refuse_declared, take_away
from agentctl.app.providers import name_source
from agentctl.domain.model import Provider
from agentctl.errors import NotFound, UsageError, did_you_mean
from agentctl.providers import BUILT_IN
from agentctl.providers.base import Runtime
from agentctl.providers.keys import describe_key
from agentctl.providers.origins import complete
from agentctl.store import Store
from agentctl.sync.by_hand import declare_by_hand
from agentctl.sync.losses import list_users
from agentctl.sync.plain import plain
from agentctl.sync.routes import key_routes
from agentctl.sync.state import NOTHING, read_state

MERGED = ("headers", "options")
UNSETTABLE = ("base_url", "api_key_env", "api_key_cmd", *MERGED)


class ProviderEdits:
    """Changes to everybody's providers, or to those that are private to one user."""

    def __init__(self, store: Store, user_id: int, runtime: Runtime) -> None:
        self._store = store
        self._user_id = user_id
        self._runtime = runtime

    def create(self, fields: Mapping[str, Any], *, private: bool) -> Sequence[str]:
        """Add a provider, for everybody or for this user alone; gives what a person should know.

        Raises UsageError for a slug that is taken, ConfigError for what YAML files may not say either.
        """
        provider = _check(fields, private=private)
        slug = provider.slug
        with self._store.transaction():
            if self._find(slug, private=private):
                raise UsageError(
                    f'there is a provider "{slug}" already',
                    hint=f"Change it with agentctl providers update {slug}{_flag(private)}.",
                )
            hidden = self._store.providers.get(slug) or BUILT_IN.get(slug)
            self._store.providers.put(provider, self._scope(private))
        notes = [f'"{slug}" now means this one and not the {name_source(hidden)} one'] if hidden else []
        return [*notes, *self._tell(provider, before=[])]

    def update(
        self, slug: str, fields: Mapping[str, Any], unset: Iterable[str], *, private: bool
    ) -> Sequence[str]:
        """Change what is given and take away what is in `unset`; gives what a person should know.

        Headers and options are merged by name. Raises as `create`, NotFound, and UsageError for a provider
        that a file declares.
        """
        with self._store.transaction():
            current = self._require(slug, private=private)
            refuse_declared("provider", slug, current.source)
            values = _merge(plain(current), fields)
            for name in unset:
                take_away(values, name, UNSETTABLE, {"headers": "NAME", "options": "KEY"})
            changed = _check(values, private=private)
            self._store.providers.put(changed, self._scope(private))
        return self._tell(changed, before=[current])

    def describe_loss(self, slugs: Sequence[str], *, private: bool) -> Sequence[str]:
        """One line for each provider that would go: who goes on naming it, and what it means then.

        Raises NotFound, and UsageError for one that a file declares.
        """
        models = {model.slug: model for model in self._store.models.list(self._user_id)}
        state = replace(read_state(self._store), models=models)
        lines = []
        for slug in dict.fromkeys(slugs):
            refuse_declared("provider", slug, self._require(slug, private=private).source, TAKE_OUT)
            below = (self._store.providers.get(slug) if private else None) or BUILT_IN.get(slug)
            users = list_users("provider", slug, state)
            line = f"provider {slug}: named by {', '.join(users) or 'nobody'}"
            lines.append(f"{line}; then it means the {name_source(below)} one" if below else line)
        return lines

    def delete(self, slugs: Sequence[str], *, private: bool) -> None:
        """Remove all of these or none. Raises as `describe_loss`."""
        with self._store.transaction():
            for slug in dict.fromkeys(slugs):
                refuse_declared("provider", slug, self._require(slug, private=private).source, TAKE_OUT)
                self._store.providers.delete(slug, self._scope(private))

    def _tell(self, provider: Provider, before: Iterable[Provider]) -> Sequence[str]:
        """Where keys are sent from now on, and what keeps one from being sent."""
        routes = key_routes([provider], before)
        old = {(route.variable, route.origin) for route in key_routes(before, [])}
        sent = [(route.variable, route.origin) for route in routes]
        notes = [
            f"{variable} is sent to {origin}" for variable, origin in sent if (variable, origin) not in old
        ]
        key = describe_key(complete(provider), self._runtime)
        return [*notes, key.repair] if key.source and key.present is False else notes

    def _scope(self, private: bool) -> int | None:
        return self._user_id if private else None

    def _find(self, slug: str, *, private: bool) -> Provider | None:
        found = self._store.providers.get(slug, self._scope(private))
        return found if found and found.private == private else None

    def _require(self, slug: str, *, private: bool) -> Provider:
        found = self._find(slug, private=private)
        if found:
            return found
        if self._find(slug, private=not private):
            word = "for everybody, not private" if private else "private"
            hint = "Leave --private out." if private else "Add --private."
            raise NotFound(f'provider "{slug}" is {word}', hint=hint)
        if slug in BUILT_IN:
            raise NotFound(
                f'provider "{slug}" is built in',
                hint=f"Put another in its place: agentctl providers create {slug} --kind ...",
            )
        known = [each.slug for each in self._store.providers.list(self._user_id)]
        raise NotFound(
            f'unknown provider "{slug}"{did_you_mean(slug, known)}', hint="See agentctl providers list."
        )


def _check(fields: Mapping[str, Any], *, private: bool) -> Provider:
    """The provider with these fields, by the rules of the YAML files."""
    declared = declare_by_hand("providers", fields, NOTHING).providers[0]
    return replace(declared, source=None, private=private)


def _merge(values: dict[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with `fields` over them; names of headers are the same in any case."""
    merged = {**values, **fields}
    for key in MERGED:
        old, new = values.get(key, {}), fields.get(key, {})
        if key == "headers":
            given = {name.lower() for name in new}
            old = {name: value for name, value in old.items() if name.lower() not in given}
        merged[key] = {**old, **new}
    return merged


def _flag(private: bool) -> str:
    return " --private" if private else ""
