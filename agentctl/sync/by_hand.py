"""Checks one thing that is made with a command by the rules of the YAML files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentctl.errors import ConfigError
from agentctl.formats.document import hold
from agentctl.sync.declared import Declared, Origin
from agentctl.sync.files import SourceFile
from agentctl.sync.schema import declare
from agentctl.sync.state import State


def declare_by_hand(section: str, fields: Mapping[str, Any], known: State) -> Declared:
    """What a file with this one entry would declare: `fields` as YAML gives them, with a `slug`.

    What is declared has a `source` that means nothing: a thing made by hand belongs to no file. Raises
    ConfigError with all problems.
    """
    name = f"{section.removesuffix('s')} {fields.get('slug')}"
    document = hold(name, {section: [dict(fields)]})
    try:
        return declare([SourceFile(Path(name), document)], Origin(frozenset()), known)
    except ConfigError as error:
        problems = [problem.replace(f"{name}:1:1: ", f"{name}: ", 1) for problem in error.problems]
        if len(problems) == 1:
            raise ConfigError(problems[0]) from None
        raise ConfigError(error.message, problems=problems) from None
