"""The embedded models on this machine: which there are, fetching them, removing them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from agentctl.domain.model import ResolvedModel
from agentctl.errors import UsageError
from agentctl.providers.base import Runtime
from agentctl.providers.local.models import (
    CATALOGUE,
    DEFAULT,
    ModelFile,
    find,
    get_model,
    list_own,
    require_name,
)
from agentctl.render.streams import Streams


class Embedded:
    """Models that run in a process of this machine's own. `runtime` says where files and sockets are."""

    def __init__(self, runtime: Runtime, streams: Streams) -> None:
        self._runtime = runtime
        self._streams = streams

    @property
    def slugs(self) -> list[str]:
        """Every one that can be asked or fetched, as a reference."""
        own = list_own(self._runtime.cache_dir)
        return [f"local/{name}" for name in (*CATALOGUE, *(model.name for model in own))]

    def is_ready(self, name: str) -> bool:
        """Whether the file behind a name or path is there."""
        model = CATALOGUE.get(name)
        if model is not None:
            return find(model, self._runtime.cache_dir) is not None
        own = any(name == each.name for each in list_own(self._runtime.cache_dir))
        return own or (name.endswith(".gguf") and Path(name).expanduser().is_file())

    def require(self, model: ResolvedModel) -> None:
        """Raise NotFound, with a suggestion, for an embedded model that there is not."""
        if model.provider.kind == "local":
            require_name(model.model.name, self._runtime.cache_dir)

    def pull(self, what: str | None, source: Path | None, sha256: str | None) -> Path:
        """Fetch what is not there yet: a name of the catalogue (None: the default one), a URL or a path.

        Says how large it is before it starts. `source` is a file to take a named model from.
        """
        from agentctl.providers.local.runtime import require_runtime
        from agentctl.render.progress import Progress

        progress = Progress(self._streams)
        try:
            if what is not None and _is_own(what):
                return self._pull_own(what, source, sha256, progress)
            model = get_model((what or DEFAULT).removeprefix("local/"))
            _refuse(sha256, "--sha256 is for a URL or a path: the hash of a named model is known")
            require_runtime()
            present = find(model, self._runtime.cache_dir)
            if present:
                return present
            from agentctl.providers.local.pull import pull

            self._streams.note(f"fetching {model.name}: {model.size / 1e6:.0f} MB, licence {model.licence}")
            return pull(model, self._runtime.cache_dir, progress=progress, source=source)
        finally:
            progress.end()

    def find_removable(self, names: Sequence[str]) -> list[ModelFile]:
        """The files of these models. Raises NotFound for one that is not there."""
        from agentctl.providers.local.removal import find_removable

        wanted = dict.fromkeys(name.removeprefix("local/") for name in names)
        return [find_removable(name, self._runtime.cache_dir) for name in wanted]

    def remove(self, models: Iterable[ModelFile]) -> int:
        """Remove files and return how many bytes that freed. Raises Busy for a model that is in use."""
        from agentctl.providers.local.removal import remove

        return sum(remove(model, self._runtime.run_dir) for model in models)

    def _pull_own(self, what: str, source: Path | None, sha256: str | None, progress: Any) -> Path:
        from agentctl.net.address import hide_secrets
        from agentctl.providers.local.own import is_url, name_file, pull_own

        _refuse(source, "--from is for a named model: a path can be given as it is")
        shown = hide_secrets(what) if is_url(what) else what
        self._streams.note(f"fetching {name_file(what)} from {shown}")
        return pull_own(what, self._runtime.cache_dir, sha256=sha256, progress=progress)


def _is_own(what: str) -> bool:
    return "://" in what or what.endswith(".gguf") or "/" in what.removeprefix("local/")


def _refuse(value: object, message: str) -> None:
    if value is not None:
        raise UsageError(message)
