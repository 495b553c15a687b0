"""Models that are made, changed and removed with commands; those of files belong to their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentctl.app.edits import TAKE_OUT, refuse_declared, take_away
from agentctl.domain.model import Model
from agentctl.domain.user import User
from agentctl.errors import NotFound, UsageError, did_you_mean
from agentctl.store import Store
from agentctl.sync.by_hand import declare_by_hand
from agentctl.sync.losses import list_users
from agentctl.sync.plain import plain
from agentctl.sync.state import State, read_state

UNSETTABLE = (
    "cached_input_price",
    "context_window",
    "input_price",
    "inputs",
    "max_output_tokens",
    "options",
    "output_price",
)


class ModelEdits:
    """Changes to everybody's models, or to those that are private to one user."""

    def __init__(self, store: Store, user: User, *, private: bool) -> None:
        self._store = store
        self._user = user
        self._private = private
        self._owner = user.id if private else None

    def create(self, slug: str, fields: Mapping[str, Any]) -> None:
        """Add a model. Raises UsageError where there is one, ConfigError for what YAML would refuse."""
        with self._store.transaction():
            if self._find(slug):
                private = " --private" if self._private else ""
                raise UsageError(
                    f'there is a model "{slug}" already',
                    hint=f"Change it with agentctl models update {slug}{private}.",
                )
            self._put({"slug": slug, **fields})

    def update(self, slug: str, fields: Mapping[str, Any], unset: Iterable[str]) -> None:
        """Change what is given, options by name, and leave open what is in `unset`.

        Raises as `create` does, NotFound, and UsageError for a model that a file declares.
        """
        with self._store.transaction():
            values = plain(self._require(slug))
            options = {**values.get("options", {}), **fields.get("options", {})}
            values = {**values, **fields, "options": options}
            for name in unset:
                take_away(values, name, UNSETTABLE, {"options": "KEY"})
            self._put(values)

    def describe_loss(self, slugs: Iterable[str]) -> Sequence[str]:
        """One line for each model that would go: who goes on naming it. Raises as `delete` does."""
        state = read_state(self._store)
        lines = []
        for slug in dict.fromkeys(slugs):
            self._require(slug, TAKE_OUT)
            lines.append(f"model {slug}: named by {', '.join(list_users('model', slug, state)) or 'nobody'}")
        return lines

    def delete(self, slugs: Iterable[str]) -> None:
        """Remove all of these or none. Raises NotFound, and UsageError for one that a file declares."""
        with self._store.transaction():
            for slug in dict.fromkeys(slugs):
                self._require(slug, TAKE_OUT)
                self._store.models.delete(slug, self._owner)

    def _put(self, fields: Mapping[str, Any]) -> None:
        providers = {each.slug: each for each in self._store.providers.list(self._owner)}
        declared = declare_by_hand("models", fields, State(providers=providers)).models[0]
        self._store.models.put(replace(declared, source=None, private=self._private), self._owner)

    def _find(self, slug: str) -> Model | None:
        model = self._store.models.get(slug, self._owner)
        return model if model and model.private == self._private else None

    def _require(self, slug: str, what: str = "Change it") -> Model:
        model = self._find(slug)
        if model is None:
            raise self._not_found(slug)
        refuse_declared("model", slug, model.source, what)
        return model

    def _not_found(self, slug: str) -> NotFound:
        other = self._store.models.get(slug, self._user.id)
        if other:
            word = "private" if other.private else "for everybody, not private"
            return NotFound(
                f'model "{slug}" is {word}', hint=f"{'Add' if other.private else 'Leave out'} --private."
            )
        known = [model.slug for model in self._store.models.list(self._user.id)]
        return NotFound(
            f'unknown model "{slug}"{did_you_mean(slug, known)}', hint="See agentctl models list."
        )
