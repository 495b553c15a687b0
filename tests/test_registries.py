"""Every registered name is whole: it can be imported, and it is what its table says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module

import click
import pytest

from agentctl.cli import COMMANDS
from agentctl.cli.group import Group
from agentctl.cli.options import FORMATS as OFFERED
from agentctl.cli.root import root
from agentctl.providers import BUILT_IN, EMBEDDED_MODEL, KINDS, load_adapter
from agentctl.providers.local.models import CATALOGUE
from agentctl.render import FORMATS
from agentctl.tools import TYPES, load_type
from agentctl.tools.schema import arguments_schema, config_schema


def commands(group: Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str, click.Command]]:
    """Path, first line of help in the table, and command, for everything below a group."""
    context = click.Context(group)
    for name, summary in group._table.items():
        command = group.get_command(context, name)
        assert command is not None
        yield " ".join((*path, name)), summary, command
        if isinstance(command, Group):
            yield from commands(command, (*path, name))


ALL = list(commands(root))


@pytest.mark.parametrize(("path", "summary", "command"), ALL, ids=[path for path, _, _ in ALL])
def test_a_commands_help_begins_with_the_line_of_its_table(
    path: str, summary: str, command: click.Command
) -> None:
    assert (command.help or "").split("\n")[0] == summary
    assert command.name == path.split(" ")[-1]


@pytest.mark.parametrize("command", [command for _, _, command in ALL if not isinstance(command, Group)])
def test_a_command_has_an_example_and_explains_its_options(command: click.Command) -> None:
    assert command.epilog
    assert "agentctl " in command.epilog
    assert all(option.help for option in command.params if isinstance(option, click.Option))


@pytest.mark.parametrize("name", TYPES)
def test_a_tool_type_is_whole(name: str) -> None:
    cls = load_type(name)
    assert cls.type == name
    assert cls.description
    for part in (cls.Arguments, cls.Config):
        assert is_dataclass(part)
        assert all(field.metadata.get("description") for field in fields(part))
    assert arguments_schema(cls.Arguments)["additionalProperties"] is False
    assert config_schema(cls.Config)["type"] == "object"


@pytest.mark.parametrize("kind", KINDS)
def test_a_provider_kind_is_whole(kind: str) -> None:
    adapter = load_adapter(kind)
    for method in ("check", "stream", "close"):
        assert callable(getattr(adapter, method))
    assert isinstance(adapter.embedded, bool)


def test_built_in_providers_have_known_kinds_and_their_own_slugs() -> None:
    assert all(provider.kind in KINDS and provider.slug == slug for slug, provider in BUILT_IN.items())


def test_the_embedded_model_is_in_the_catalogue() -> None:
    assert EMBEDDED_MODEL.removeprefix("local/") in CATALOGUE


def test_the_offered_formats_are_the_registered_ones() -> None:
    assert sorted(OFFERED) == sorted(FORMATS)
    for target in FORMATS.values():
        module, _, function = target.partition(":")
        assert callable(getattr(import_module(module), function))


@pytest.mark.parametrize("table", [COMMANDS, TYPES, KINDS, BUILT_IN, FORMATS])
def test_tables_of_names_are_sorted(table: dict[str, object]) -> None:
    assert list(table) == sorted(table)
