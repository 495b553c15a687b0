"""Keys by name: kept in a file, bound to the place of the provider they are for, and never shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agentctl.domain.model import Provider
from agentctl.errors import CredentialsError, NotFound, UsageError, did_you_mean
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Runtime
from agentctl.providers.key_file import KEY_NAME, KeyFile, StoredKey
from agentctl.providers.keys import clean_key, describe_key
from agentctl.providers.origins import complete, provider_origin
from agentctl.render.secret import ask_secret, is_given, read_secret
from agentctl.render.streams import Streams


class Keys:
    """What `agentctl keys` does. `open_terminal` gives a terminal where a person can be asked."""

    def __init__(
        self,
        resolver: Resolver,
        user_id: int,
        runtime: Runtime,
        streams: Streams,
        open_terminal: Callable[[], int | None],
    ) -> None:
        self._resolver = resolver
        self._user_id = user_id
        self._runtime = runtime
        self._streams = streams
        self._open_terminal = open_terminal
        self._file = KeyFile(runtime.keys_file)

    def set(self, name: str) -> None:
        """Read a key and keep it under `name`, for the place that this name means now.

        Raises UsageError for a name or a key that can be none.
        """
        if not re.fullmatch(KEY_NAME, name):
            raise UsageError(
                "a key's name has 1 to 100 of A-Z, a-z, 0-9, dot, _ and -",
                hint="The key itself is never an argument: it is asked for, or read from stdin.",
            )
        provider = self._providers().get(name)
        origin = self._find_origin(name, provider)
        self._file.read()
        key = self._read(f"Key for {name}{f' ({origin})' if origin else ''}: ")
        try:
            key = clean_key(key, "what was given")
        except CredentialsError as error:
            raise UsageError(error.message) from None
        self._file.put(name, StoredKey(key, origin))
        self._tell(name, provider, origin)

    def list(self) -> Sequence[dict[str, Any]]:
        """Every key as a row: its name, its place, who sends it, and who would if it were for their place."""
        return [self._row(name, stored) for name, stored in sorted(self._file.read().items())]

    def require(self, names: Sequence[str]) -> Sequence[dict[str, Any]]:
        """The rows of these keys; raises NotFound for one that is not there."""
        rows = {row["name"]: row for row in self.list()}
        for name in names:
            if name not in rows:
                hint = "See agentctl keys list."
                raise NotFound(f'there is no key "{name}"{did_you_mean(name, rows)}', hint=hint)
        return [rows[name] for name in dict.fromkeys(names)]

    def delete(self, names: Sequence[str]) -> None:
        """Forget these keys."""
        self._file.delete(names)

    def _read(self, question: str) -> str:
        stdin = self._streams.stdin
        if stdin is not None and is_given(stdin):
            return read_secret(stdin)
        terminal = self._open_terminal()
        if terminal is None:
            raise UsageError(
                "no key was given and nobody can be asked", hint="Give it as the first line of stdin."
            )
        return ask_secret(terminal, question)

    def _find_origin(self, name: str, provider: Provider | None) -> str | None:
        """The place of the provider of this name, else the only one whose headers send this key."""
        if provider is not None:
            origin = provider_origin(provider)
            if origin is None:
                raise UsageError(f"provider {name} sends nothing anywhere, so there is no key for it")
            return origin
        origins = {provider_origin(each) for each in self._providers().values() if name in _named(each)}
        return origins.pop() if len(origins) == 1 else None

    def _tell(self, name: str, provider: Provider | None, origin: str | None) -> None:
        if origin is None:
            guess = did_you_mean(name, self._providers())
            self._streams.note(
                f'kept the key "{name}": no provider is called that{guess}, so only headers with '
                f"{{key: {name}}} send it"
            )
            return
        self._streams.note(f'kept the key "{name}", to be sent to {origin} only')
        if provider is not None:
            state = describe_key(complete(provider), self._runtime)
            if state.source != f'the key "{name}"':
                self._streams.note(f"{name} does not use it as long as it has {state.source}")

    def _row(self, name: str, stored: StoredKey) -> dict[str, Any]:
        users = list(self._find_users(name, stored))
        return {
            "name": name,
            "origin": stored.origin,
            "providers": [slug for slug, sent in users if sent],
            "held_back_from": [slug for slug, sent in users if not sent],
        }

    def _find_users(self, name: str, stored: StoredKey) -> Iterator[tuple[str, bool]]:
        """The providers that name the key, and whether it goes to their place."""
        for slug, provider in sorted(self._providers().items()):
            here = provider_origin(provider) == stored.origin
            if name in _named(provider):
                yield slug, here or stored.origin is None
            elif slug == name:
                yield slug, here and stored.origin is not None

    def _providers(self) -> Mapping[str, Provider]:
        """Every provider that this user can ask, by slug."""
        slugs = self._resolver.provider_slugs(self._user_id)
        return {slug: self._resolver.provider(slug, self._user_id) for slug in slugs}


def _named(provider: Provider) -> set[str]:
    """The keys that headers of the provider send."""
    values = (value for value in provider.headers.values() if isinstance(value, Mapping))
    return {str(value["key"]) for value in values if "key" in value}
