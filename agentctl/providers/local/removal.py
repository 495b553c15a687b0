"""Removes the file of an embedded model from the cache, unless something still runs it."""

from __future__ import annotations

from pathlib import Path

from agentctl.errors import Busy, NotFound, UsageError
from agentctl.providers.local.models import ModelFile, find_file, require_name
from agentctl.providers.local.place import find_place
from agentctl.providers.locks import FileLock, is_held


def find_removable(name: str, cache_dir: Path) -> ModelFile:
    """The file of this name in the cache. Raises NotFound, UsageError for a file elsewhere."""
    found = find_file(name, cache_dir)
    if found:
        return found
    if name.endswith(".gguf"):
        raise UsageError(f"{name} is not in the cache", hint="A file of your own is yours to remove.")
    require_name(name, cache_dir)
    raise NotFound(f"the embedded model {name} is not on this machine")


def remove(model: ModelFile, run_dir: Path) -> int:
    """Remove the file and return how many bytes that freed. Raises Busy while a server runs the model."""
    place = find_place(run_dir, model.path, model.context)
    turn = FileLock(place.turn)
    # Whoever starts a server holds this lock meanwhile.
    if not turn.try_take() or is_held(place.alive):
        turn.release()
        raise Busy(
            f"{model.name} is in use",
            hint="Its server ends by itself soon after the last request (AGENTCTL_LOCAL_IDLE seconds).",
        )
    try:
        size = model.path.lstat().st_size
        model.path.unlink()
    finally:
        turn.release()
    return size
