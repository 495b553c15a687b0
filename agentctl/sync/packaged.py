"""The files that travel with the package: two agents and their tools, and the JSON Schema for editors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from agentctl.errors import UsageError
from agentctl.formats.yaml import parse
from agentctl.store import Store
from agentctl.sync.apply import carry_out, summarize
from agentctl.sync.declared import Declared, Origin
from agentctl.sync.files import NAMES, SourceFile
from agentctl.sync.plan import compare
from agentctl.sync.schema import declare
from agentctl.sync.state import State, read_state

FOLDER = Path(__file__).parent / "shipped"
SCHEMA_PATH = Path(__file__).parent / "agentctl.schema.json"
BUILT_IN = "built in"
_HEADER = "# yaml-language-server: $schema="


def templates() -> Mapping[str, str]:
    """The commented agents.yaml and tools.yaml (name -> text) for a new folder.

    Their first line points editors to the schema of this installation.
    """
    return {name: _with_schema((FOLDER / name).read_text(encoding="utf-8")) for name in NAMES}


def write_templates(folder: Path, *, replace_files: bool = False) -> list[Path]:
    """Write the templates into `folder`, made if need be, and give their paths.

    Raises UsageError, before anything is written, where one is there already, unless `replace_files`.
    """
    return write_files(folder, templates(), replace_files=replace_files)


def write_files(folder: Path, texts: Mapping[str, str], *, replace_files: bool = False) -> list[Path]:
    """Write `texts` (name -> text) into `folder`; raises UsageError as `write_templates` does."""
    paths = {folder / name: text for name, text in texts.items()}
    existing = [str(path) for path in paths if os.path.lexists(path)]
    if existing and not replace_files:
        raise UsageError(f"already there: {', '.join(existing)}", hint="nothing was written")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in paths.items():
            path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None
    return list(paths)


def declare_packaged() -> Declared:
    """What the packaged files declare; the source of it all is `built in`."""
    files = [
        SourceFile(Path(BUILT_IN), parse((FOLDER / name).read_bytes(), f"{BUILT_IN} {name}"))
        for name in NAMES
    ]
    return declare(files, Origin(frozenset({BUILT_IN})))


def apply_packaged(store: Store) -> bool:
    """Create what the packaged files declare where nothing was ever applied; says whether it did.

    What was made by hand before is left as it is. Safe when several processes do it at once.
    """
    if store.revisions.current():
        return False
    declared = declare_packaged()
    with store.transaction():
        if store.revisions.current():
            return False
        state = read_state(store)
        plan = compare(_missing(declared, state), state)
        for change in plan.changes:
            carry_out(store, change)
        store.revisions.add(BUILT_IN, summarize(plan))
    return True


def _missing(declared: Declared, state: State) -> Declared:
    """What is not there yet; a default agent only where there is none."""
    taken = any(agent.is_default for agent in state.agents.values())
    agents = (agent for agent in declared.agents if agent.slug not in state.agents)
    return replace(
        declared,
        tools=tuple(tool for tool in declared.tools if tool.slug not in state.tools),
        agents=tuple(replace(agent, is_default=agent.is_default and not taken) for agent in agents),
    )


def _with_schema(text: str) -> str:
    """`text` with the schema of this installation in place of the one in its first line."""
    first, newline, rest = text.partition("\n")
    if not first.startswith(_HEADER):
        return text
    return f"{_HEADER}{SCHEMA_PATH.resolve().as_uri()}{newline}{rest}"
