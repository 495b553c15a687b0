"""Finds the key and the headers of a provider; what it finds never stands in an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from agentctl.domain.headers import FRAMING_HEADERS
from agentctl.domain.model import Provider
from agentctl.domain.value import value
from agentctl.errors import ConfigError, CredentialsError, TimeLimit
from agentctl.net.address import find_origin
from agentctl.providers.base import Runtime
from agentctl.providers.key_file import KeyFile

COMMAND_TIMEOUT = 10.0
# The headers that hold a key: OpenAI and most others, Anthropic, Azure, Google.
KEY_HEADERS = frozenset({"api-key", "authorization", "x-api-key", "x-goog-api-key"})
EMBEDDED_HINT = "-m local/... asks the embedded model, which needs no key."

Source = Literal["variable", "file", "command", "nowhere", "none"]


@value
class KeyState:
    """Where a provider's key comes from, in words (None: it has none), and what mends it.

    `present` is None where only trying tells: a command would have to run.
    """

    source: str | None
    present: bool | None
    repair: str


def find_key(provider: Provider, runtime: Runtime) -> str | None:
    """The provider's key; None where it needs none.

    From its variable where that is set, else the key that `keys set` keeps under the provider's slug, else
    from its command. Blocks for up to 10 s while the command runs. Raises CredentialsError, and TimeLimit
    where the time of the run is over sooner.
    """
    variable = provider.api_key_env or ""
    match _choose(provider, runtime):
        case "variable":
            return clean_key(runtime.find_env(variable) or "", variable)
        case "file":
            return _find_stored(provider, provider.slug, runtime)
        case "command":
            return clean_key(_run(provider, runtime), f"the output of {provider.api_key_cmd[0]}")
        case "nowhere":
            hint = f"agentctl keys set {provider.slug} keeps a key for good. {EMBEDDED_HINT}"
            raise _missing(f"no key for {provider.slug}", variable, hint)
        case "none":
            return None


def describe_key(provider: Provider, runtime: Runtime) -> KeyState:
    """Where the key of a request to `provider` comes from; never the key. Runs no command.

    `provider` has its base_url.
    """
    for name, given in provider.headers.items():
        if name.lower() in KEY_HEADERS and isinstance(given, Mapping):
            return _describe_header(provider, given, runtime)
    try:
        source = _choose(provider, runtime)
        if source == "file":
            return _describe_stored(provider, provider.slug, runtime)
    except CredentialsError as error:
        return KeyState(f'the key "{provider.slug}"', False, f"{error.message}. {error.hint}")
    if source == "none":
        repair = f"Set api_key_env of provider {provider.slug}, or run agentctl keys set {provider.slug}."
        return KeyState(None, None, repair)
    if source == "command":
        name = f"the output of {provider.api_key_cmd[0]}"
        return KeyState(name, None, f"Check {name}.")
    name = provider.api_key_env or ""
    if source == "variable":
        return KeyState(name, True, f"Check {name}.")
    return KeyState(name, False, f"Set {name}, or run agentctl keys set {provider.slug}.")


def find_headers(provider: Provider, runtime: Runtime) -> dict[str, str]:
    """The provider's own headers, names in small letters, `{"env": NAME}` and `{"key": NAME}` looked up.

    Raises CredentialsError for what is missing, ConfigError for what is no header.
    """
    return {name.lower(): _find_header(provider, name, runtime) for name in provider.headers}


def build_headers(provider: Provider, runtime: Runtime, key_header: str = "authorization") -> dict[str, str]:
    """All headers that a request to `provider` needs: its own, and the key under `key_header` if it has one.

    A provider that sets a header for keys itself is asked for no other key.
    """
    headers = find_headers(provider, runtime)
    if KEY_HEADERS & headers.keys():
        return headers
    key = find_key(provider, runtime)
    if not key:
        return headers
    return {**headers, key_header: f"Bearer {key}" if key_header == "authorization" else key}


def _find_header(provider: Provider, name: str, runtime: Runtime) -> str:
    value = provider.headers[name]
    where = f"header {name} of provider {provider.slug}"
    if name.lower() in FRAMING_HEADERS:
        raise ConfigError(f"{where}: it cannot be set, for each request makes its own")
    if isinstance(value, str):
        if not value.isprintable() or not value.isascii():
            raise ConfigError(f"{where}: only plain ASCII can be sent")
        return value
    if isinstance(value, Mapping) and isinstance(value.get("env"), str):
        variable = value["env"]
        key = runtime.find_env(variable)
        if not key or not key.strip():
            raise _missing(where, variable, EMBEDDED_HINT)
        return clean_key(key, variable)
    if isinstance(value, Mapping) and isinstance(value.get("key"), str):
        return _find_stored(provider, value["key"], runtime, where)
    raise ConfigError(f"{where}: write text, {{env: NAME}} or {{key: NAME}}")


def _choose(provider: Provider, runtime: Runtime) -> Source:
    """The first source that has a key; `nowhere` where one is named that has none."""
    if provider.api_key_env and (runtime.find_env(provider.api_key_env) or "").strip():
        return "variable"
    if provider.slug in KeyFile(runtime.keys_file).read():
        return "file"
    if provider.api_key_cmd:
        return "command"
    return "nowhere" if provider.api_key_env else "none"


def _find_stored(provider: Provider, name: str, runtime: Runtime, where: str | None = None) -> str:
    """The key of this name, if it may go to the provider; `where` is the header that asks for it.

    Only a header may send a key without origin: whoever applied it named key and place together.
    """
    stored = KeyFile(runtime.keys_file).read().get(name)
    if stored is None:
        hint = f"agentctl keys set {name} keeps one. {EMBEDDED_HINT}"
        raise CredentialsError(f'{where}: no key named "{name}" in {runtime.keys_file}', hint=hint)
    origin = find_origin(provider.base_url or "")
    if stored.origin != origin and (stored.origin or where is None):
        was = f"was set for {stored.origin}" if stored.origin else "was set for no provider"
        raise CredentialsError(
            f'the key "{name}" {was}, and {provider.slug} is at {origin}: it is not sent there',
            hint=f"If it belongs there, set it anew with agentctl keys set {name}.",
        )
    return clean_key(stored.key, f'the key "{name}"')


def _describe_stored(provider: Provider, name: str, runtime: Runtime, where: str | None = None) -> KeyState:
    source = f'the key "{name}"'
    try:
        _find_stored(provider, name, runtime, where)
    except CredentialsError as error:
        return KeyState(source, False, f"{error.message}. {error.hint}")
    return KeyState(source, True, f"Set it anew with agentctl keys set {name}.")


def _describe_header(provider: Provider, given: Mapping[str, object], runtime: Runtime) -> KeyState:
    if "env" not in given:
        return _describe_stored(provider, str(given.get("key")), runtime, f"provider {provider.slug}")
    variable = str(given["env"])
    present = bool((runtime.find_env(variable) or "").strip())
    return KeyState(variable, present, f"{'Check' if present else 'Set'} {variable}.")


def _missing(where: str, variable: str, hint: str) -> CredentialsError:
    return CredentialsError(f"{where}: set {variable}, or choose another model with -m", hint=hint)


def clean_key(key: str, source: str) -> str:
    """`key` without white space around it. Raises CredentialsError, never quoting it, for what is none."""
    key = key.strip()
    if not key:
        raise CredentialsError(f"{source} is empty: no key there", hint=EMBEDDED_HINT)
    if not key.isascii() or not key.isprintable():
        raise CredentialsError(f"{source} holds characters that no key has (a line break, perhaps)")
    return key


def _run(provider: Provider, runtime: Runtime) -> str:
    from agentctl.providers.key_command import CommandFailure, CommandTimeout, run_command

    command = provider.api_key_cmd
    left = runtime.time_left()
    try:
        return run_command(command, COMMAND_TIMEOUT if left is None else min(left, COMMAND_TIMEOUT))
    except CommandFailure as failure:
        if isinstance(failure, CommandTimeout) and left is not None and left < COMMAND_TIMEOUT:
            raise TimeLimit(
                f"the time limit passed before {command[0]} gave a key for {provider.slug}",
                hint="Allow more with --timeout SECONDS.",
            ) from None
        raise CredentialsError(
            f"no key for {provider.slug}: {command[0]} {failure}",
            hint=f"Run the command in api_key_cmd of provider {provider.slug} by hand.",
        ) from None
