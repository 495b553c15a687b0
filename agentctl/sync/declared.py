"""What a set of files declares, as domain values, and which files and folders that set is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from agentctl.domain.agent import Agent
from agentctl.domain.model import Model, Provider
from agentctl.domain.tool import Tool


@dataclass(frozen=True, slots=True)
class Origin:
    """Absolute paths of the files that were read, and of the folders and file names that were looked at.

    What an apply creates belongs to the file that declared it; a file that is gone from one of `folders`,
    or is one of `files`, still counts, so that deleting a file deletes what it declared (with --prune).
    """

    files: frozenset[str]
    folders: frozenset[str] = frozenset()

    def covers(self, source: str | None) -> bool:
        """Whether something with this `source` belongs to these files."""
        if source is None:
            return False
        return source in self.files or str(PurePath(source).parent) in self.folders

    def __str__(self) -> str:
        return ", ".join(sorted(self.files))


@dataclass(frozen=True, slots=True)
class Declared:
    """Everything in its order of declaration; each value has its file in `source`."""

    origin: Origin
    providers: tuple[Provider, ...] = ()
    models: tuple[Model, ...] = ()
    tools: tuple[Tool, ...] = ()
    agents: tuple[Agent, ...] = ()
    default_model: str | None = None
    documents: Mapping[str, int] | None = None
    notify: tuple[str, ...] | None = None
