"""Keeps what a server computed for a long prompt in a file, so that the next server need not do it again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from agentctl.providers.local.place import ROUTER_SLOT, Place

Compute = Callable[[], Awaitable[None]]
# Called with a path under /slots/N and a body; whether the server did it.
Ask = Callable[[str, dict[str, Any]], Awaitable[bool]]

_MOST_FILES = 8


class PrefixCache:
    """The files in `folder`, a few of them, and which of them a server has in a slot."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def prepare(
        self,
        place: Place,
        prompt: Sequence[dict[str, Any]],
        runtime: str,
        ask: Ask,
        compute: Compute,
    ) -> None:
        """Have `prompt` in the router's slot: it is there, or restored from a file, or computed and kept.

        Whatever goes wrong costs time only: the server computes what it has not got.
        """
        name = _name(place, prompt, runtime)
        if _read(place.prefix) == name:
            return
        path = self._folder / name
        done = path.exists() and await ask(f"/slots/{ROUTER_SLOT}?action=restore", {"filename": name})
        if not done:
            await compute()
            if await ask(f"/slots/{ROUTER_SLOT}?action=save", {"filename": name}):
                self._remove_old(keep=name)
        try:
            if done:
                os.utime(path)
            place.prefix.write_text(name)
        except OSError:
            return

    def _remove_old(self, keep: str) -> None:
        try:
            files = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in files[_MOST_FILES:]:
                if path.name != keep:
                    path.unlink(missing_ok=True)
        except OSError:
            return


def _name(place: Place, prompt: Sequence[dict[str, Any]], runtime: str) -> str:
    """A state fits one model with its settings, one runtime and one prompt."""
    told = json.dumps([place.name, runtime, list(prompt)]).encode()
    return hashlib.sha256(told).hexdigest()[:32] + ".bin"


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
