"""Where things are, by flag, variable and default."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.config import load_config
from agentctl.errors import UsageError


@pytest.mark.parametrize(
    ("environ", "flags", "db"),
    [
        ({}, {}, "/h/.local/share/agentctl/agentctl.db"),
        ({"XDG_DATA_HOME": "/data"}, {}, "/data/agentctl/agentctl.db"),
        ({"XDG_DATA_HOME": "relative"}, {}, "/h/.local/share/agentctl/agentctl.db"),
        ({"XDG_DATA_HOME": "/data", "AGENTCTL_HOME": "/home"}, {}, "/home/agentctl.db"),
        ({"AGENTCTL_HOME": "/home", "AGENTCTL_DB": "/x.db"}, {}, "/x.db"),
        ({"AGENTCTL_DB": "/x.db"}, {"db": "/y.db"}, "/y.db"),
        ({"AGENTCTL_DB": ""}, {}, "/h/.local/share/agentctl/agentctl.db"),
    ],
)
def test_the_database_is_where_the_strongest_source_says(
    environ: dict[str, str], flags: dict[str, str], db: str
) -> None:
    assert load_config({"HOME": "/h", "USER": "me", **environ}, flags).db == db


def test_the_user_is_the_flag_then_the_variable_then_the_login_name() -> None:
    environ = {"HOME": "/h", "USER": "login", "AGENTCTL_USER": "named"}
    assert load_config(environ, {"user": "flag"}).user == "flag"
    assert load_config(environ, {}).user == "named"
    del environ["AGENTCTL_USER"]
    assert load_config(environ, {}).user == "login"
    assert load_config({"HOME": "/h"}, {}).user


@pytest.mark.parametrize("name", [" ", "a\nb", "x" * 101])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no user name"):
        load_config({"HOME": "/h"}, {"user": name})


def test_a_runtime_folder_that_cannot_be_used_is_left(tmp_path: Path) -> None:
    environ = {"HOME": "/h", "USER": "me", "TMPDIR": str(tmp_path)}
    assert load_config({**environ, "XDG_RUNTIME_DIR": str(tmp_path)}, {}).run_dir == f"{tmp_path}/agentctl"
    assert load_config({**environ, "XDG_RUNTIME_DIR": "/missing"}, {}).run_dir.startswith(
        f"{tmp_path}/agentctl-"
    )


@pytest.mark.parametrize(
    ("environ", "color"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_is_for_those_who_want_it(environ: dict[str, str], color: bool) -> None:
    assert load_config({"HOME": "/h", "USER": "me", **environ}, {}).color is color
    assert load_config({"HOME": "/h", "USER": "me"}, {"plain": True}).color is False
