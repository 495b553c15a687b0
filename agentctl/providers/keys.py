"""Finds the key and the headers of a provider; what it finds never stands in an error."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentctl.domain.model import Provider
from agentctl.errors import ConfigError, CredentialsError
from agentctl.providers.base import Runtime

COMMAND_TIMEOUT = 10.0
# The headers that hold a key: OpenAI and most others, Anthropic, Azure, Google.
KEY_HEADERS = frozenset({"api-key", "authorization", "x-api-key", "x-goog-api-key"})
EMBEDDED_HINT = "-m local/... asks the embedded model, which needs no key."


def find_key(provider: Provider, runtime: Runtime) -> str | None:
    """The provider's key from its variable, else from its command; None where it names neither.

    Blocks for up to 10 s while the command runs. Raises CredentialsError.
    """
    if provider.api_key_env:
        key = runtime.find_env(provider.api_key_env)
        if key and key.strip():
            return _check(key, provider.api_key_env)
    if provider.api_key_cmd:
        return _check(_run(provider), f"the output of {provider.api_key_cmd[0]}")
    if provider.api_key_env:
        raise _missing(f"no key for {provider.slug}", provider.api_key_env)
    return None


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


def name_source(provider: Provider) -> str:
    """Where a person changes the key, for messages about a key that was refused."""
    if provider.api_key_env:
        return provider.api_key_env
    if provider.api_key_cmd:
        return f"the output of {provider.api_key_cmd[0]}"
    for value in provider.headers.values():
        if isinstance(value, Mapping):
            return str(value.get("env") or f'the key "{value.get("key")}"')
    return f"api_key_env of provider {provider.slug}"


def _find_header(provider: Provider, name: str, runtime: Runtime) -> str:
    value = provider.headers[name]
    where = f"header {name} of provider {provider.slug}"
    if isinstance(value, str):
        if not value.isprintable() or not value.isascii():
            raise ConfigError(f"{where}: only plain ASCII can be sent")
        return value
    if isinstance(value, Mapping) and isinstance(value.get("env"), str):
        variable = value["env"]
        key = runtime.find_env(variable)
        if not key or not key.strip():
            raise _missing(where, variable)
        return _check(key, variable)
    if isinstance(value, Mapping) and isinstance(value.get("key"), str):
        key = _read_keys(runtime.keys_file).get(value["key"])
        if not key:
            message = f'{where}: no key named "{value["key"]}" in {runtime.keys_file}'
            raise CredentialsError(message, hint=EMBEDDED_HINT)
        return _check(key, f'the key "{value["key"]}"')
    raise ConfigError(f"{where}: write text, {{env: NAME}} or {{key: NAME}}")


def _missing(where: str, variable: str) -> CredentialsError:
    message = f"{where}: set {variable}, or choose another model with -m"
    return CredentialsError(message, hint=EMBEDDED_HINT)


def _check(key: str, source: str) -> str:
    """`key` without white space around it; never quotes it."""
    key = key.strip()
    if not key:
        raise CredentialsError(f"{source} is empty: no key there", hint=EMBEDDED_HINT)
    if not key.isascii() or not key.isprintable():
        raise CredentialsError(f"{source} holds characters that no key has (a line break, perhaps)")
    return key


def _run(provider: Provider) -> str:
    import subprocess

    command = provider.api_key_cmd
    try:
        # stdin belongs to the user's data; stderr stays open for a password manager that asks.
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=COMMAND_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        raise CredentialsError(
            f"{command[0]} gave no key for {provider.slug} within {COMMAND_TIMEOUT:g} s"
        ) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CredentialsError(f"cannot run {command[0]} for the key of {provider.slug}: {reason}") from None
    if done.returncode != 0:
        raise CredentialsError(
            f"{command[0]} ended with {done.returncode} and gave no key for {provider.slug}",
            hint=f"Run the command in api_key_cmd of provider {provider.slug} by hand.",
        )
    return done.stdout.decode("utf-8", "replace")


def _read_keys(path: Path) -> Mapping[str, str]:
    """The named keys; {} where the file is missing. Raises CredentialsError if others can read it."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise CredentialsError(f"others can read {path}", hint=f"chmod 600 {path}")
            keys: Any = json.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        raise CredentialsError(f"cannot read the keys in {path}: no JSON file of yours") from None
    if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys.values()):
        raise CredentialsError(f"{path} must be one JSON object of names and keys")
    return keys
