"""The secrets that tools send along: looked up when a call needs them, each for one origin only."""

from __future__ import annotations

from collections.abc import Mapping

from agentctl.config import Config
from agentctl.errors import CredentialsError
from agentctl.store import Store


class ToolSecrets:
    """Finds what `{env: NAME}` and `{key: NAME}` stand for in the config of a tool."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def find(self, reference: Mapping[str, str], origin: str) -> str:
        """The secret, for requests to `origin`; it never stands in an error.

        A key that was set for another place is not given out. Raises CredentialsError.
        """
        from agentctl.providers.keys import clean_key

        if "env" in reference:
            name = reference["env"]
            text = self._config.find_env(name)
            if not text or not text.strip():
                raise CredentialsError(f"a key is missing: set {name}")
            return clean_key(text, name)
        return clean_key(self._find_stored(reference["key"], origin), f'the key "{reference["key"]}"')

    def _find_stored(self, name: str, origin: str) -> str:
        from pathlib import Path

        from agentctl.providers.key_file import KeyFile

        stored = KeyFile(Path(self._config.home, "keys.json")).read().get(name)
        if stored is None:
            raise CredentialsError(f'there is no key "{name}": agentctl keys set {name} keeps one')
        if stored.origin and stored.origin != origin:
            raise CredentialsError(
                f'the key "{name}" was set for {stored.origin}: it is not sent to {origin}'
            )
        return stored.key


def find_key_variables(store: Store) -> set[str]:
    """The variables of the environment in which declared tools have their keys."""
    from agentctl.sync.routes import tool_pairs

    tools = {tool.slug: tool for tool in store.tools.list() if tool.config}
    pairs = tool_pairs(tools, store.agents.list()) if tools else {}
    return {name for sent in pairs.values() for name, _ in sent if " " not in name}
