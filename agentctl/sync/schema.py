"""From files to what they declare: every check, all errors at once, then domain values."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from agentctl.domain.agent import Agent
from agentctl.domain.model import Model, Provider
from agentctl.domain.tool import Tool
from agentctl.formats.document import as_error
from agentctl.sync.agent_rules import check_agent
from agentctl.sync.declared import Declared, Origin
from agentctl.sync.entries import Contents, Entry, read_contents
from agentctl.sync.fields import DOCUMENTS
from agentctl.sync.files import SourceFile, read_files
from agentctl.sync.provider_rules import check_provider
from agentctl.sync.references import check_references, check_top, known_slugs
from agentctl.sync.report import Report, TooManyError
from agentctl.sync.rule_checks import check_rules
from agentctl.sync.secrets import check_options
from agentctl.sync.state import NOTHING, State
from agentctl.sync.tool_rules import check_agent_configs, check_tool
from agentctl.sync.variable_rules import check_variables

PRICES = ("input_price", "output_price", "cached_input_price")


def read_declared(paths: Sequence[str | Path], folder: Path, known: State = NOTHING) -> Declared:
    """What the files at `paths` (relative to `folder`; none: its agents.yaml and tools.yaml) declare.

    Tools, models and providers in `known` may be referred to without being declared. Raises NotFound where
    there is no file, ConfigError with all problems, each `file:line:column: message`.
    """
    files, origin = read_files(paths, folder)
    return declare(files, origin, known)


def declare(files: Sequence[SourceFile], origin: Origin, known: State = NOTHING) -> Declared:
    """Like `read_declared`, for files that were read already."""
    reports = [Report(file.document) for file in files]
    contents: list[Contents] = []
    entries: list[Entry] = []
    with suppress(TooManyError):
        contents = [read_contents(file, report) for file, report in zip(files, reports, strict=True)]
        entries = [entry for each in contents for entry in each.entries]
        _check(contents, entries, known)
    problems = [problem for report in reports for problem in report.finish()]
    if problems:
        raise as_error(problems, " and ".join(sorted({problem.name for problem in problems})))
    return _build(contents, entries, origin)


def _check(contents: Sequence[Contents], entries: Sequence[Entry], state: State) -> None:
    for entry in entries:
        if "options" in entry.sound:
            check_options(entry.report, entry.sound["options"])
        if entry.section == "providers":
            check_provider(entry)
        elif entry.section == "tools":
            check_tool(entry)
        elif entry.section == "agents":
            check_agent(entry)
    _check_duplicates(entries)
    _check_defaults(contents, entries)
    known = known_slugs(entries, state)
    for each in contents:
        check_top(each, known)
        each.report.fields(each.top.get("documents", {}), DOCUMENTS)
    for entry in entries:
        check_references(entry, known)
    check_agent_configs(entries, state)
    check_rules(entries, state)
    check_variables(entries, state)


def _check_duplicates(entries: Sequence[Entry]) -> None:
    first: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        if entry.slug is None:
            continue
        earlier = first.setdefault((entry.section, entry.slug), entry)
        if earlier is not entry:
            message = (
                f'{entry.section}: "{entry.slug}" is declared twice (first in {_place(earlier, "slug")})'
            )
            entry.report.at_value(entry.raw, "slug", message)


def _check_defaults(contents: Sequence[Contents], entries: Sequence[Entry]) -> None:
    defaults = [entry for entry in entries if entry.section == "agents" and entry.sound.get("is_default")]
    for entry in defaults[1:]:
        message = f"only one agent can be the default (another one is in {_place(defaults[0], 'is_default')})"
        entry.report.at_value(entry.raw, "is_default", message)
    for key in ("default_model", "documents", "notify"):
        named = [each for each in contents if each.top.get(key)]
        for each in named[1:]:
            if each.top[key] != named[0].top[key]:
                message = f"{key} is given in {named[0].report.document.name} already, and differs"
                each.report.at_value(each.raw, key, message)


def _place(entry: Entry, key: str) -> str:
    line, column = entry.report.document.where_value(entry.raw, key)
    return f"{entry.report.document.name}:{line}:{column}"


def _build(contents: Sequence[Contents], entries: Sequence[Entry], origin: Origin) -> Declared:
    sections: dict[str, list[Entry]] = {name: [] for name in ("providers", "models", "tools", "agents")}
    for entry in entries:
        sections[entry.section].append(entry)
    models = (each.top.get("default_model") for each in contents)
    return Declared(
        origin,
        providers=tuple(Provider(**_provider(entry)) for entry in sections["providers"]),
        models=tuple(Model(**_model(entry)) for entry in sections["models"]),
        tools=tuple(Tool(**_named(entry)) for entry in sections["tools"]),
        agents=tuple(Agent(**_agent(entry)) for entry in sections["agents"]),
        default_model=next(filter(None, models), None),
        documents=next((each.top["documents"] for each in contents if "documents" in each.top), None),
        notify=next((tuple(each.top["notify"]) for each in contents if "notify" in each.top), None),
    )


def _named(entry: Entry) -> dict[str, Any]:
    return {"name": entry.slug, "source": str(entry.file.path), **entry.sound}


def _provider(entry: Entry) -> dict[str, Any]:
    command = tuple(entry.sound.get("api_key_cmd", ()))
    return {**entry.sound, "api_key_cmd": command, "source": str(entry.file.path)}


def _model(entry: Entry) -> dict[str, Any]:
    """Prices become floats, as the database gives them back."""
    fields = _named(entry)
    fields.update({key: float(fields[key]) for key in PRICES if key in fields})
    if "inputs" in fields:
        fields["inputs"] = tuple(dict.fromkeys(fields["inputs"]))
    return fields


def _agent(entry: Entry) -> dict[str, Any]:
    fields = _named(entry)
    models = fields.get("default_model", ())
    return {
        **fields,
        "default_model": (models,) if isinstance(models, str) else tuple(models),
    }
