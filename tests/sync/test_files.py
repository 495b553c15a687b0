from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.errors import ConfigError, NotFound
from agentctl.sync.files import read_files
from tests.sync.conftest import Write


def names(paths: list[str], folder: Path) -> list[str]:
    return [file.document.name for file in read_files(paths, folder)[0]]


def test_without_paths_the_two_files_of_the_folder_are_read(folder: Path, write: Write) -> None:
    write("", "agents.yaml")
    write("", "tools.yaml")
    write("", "other.yaml")
    assert names([], folder) == ["agents.yaml", "tools.yaml"]


def test_one_of_the_two_is_enough(folder: Path, write: Write) -> None:
    write("", "tools.yaml")
    assert names([], folder) == ["tools.yaml"]


def test_where_nothing_is_init_is_named(folder: Path) -> None:
    with pytest.raises(NotFound, match=r"no agents\.yaml or tools\.yaml") as caught:
        read_files([], folder)
    assert "agentctl init" in (caught.value.hint or "")


def test_a_folder_means_its_yaml_files_in_order(folder: Path, write: Write) -> None:
    for name in ("b.yml", "a.yaml", ".hidden.yaml", "notes.txt", "deeper/c.yaml"):
        write("", f"conf/{name}")
    assert names(["conf"], folder) == ["conf/a.yaml", "conf/b.yml"]


def test_files_and_folders_can_be_mixed_and_each_file_is_read_once(folder: Path, write: Write) -> None:
    write("", "conf/a.yaml")
    write("", "x.yaml")
    assert names(["x.yaml", "conf", "conf/a.yaml", "./x.yaml"], folder) == ["x.yaml", "conf/a.yaml"]


def test_a_missing_path_and_an_empty_folder_are_named(folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(NotFound, match=r"gone\.yaml: no such file or folder"):
        read_files(["gone.yaml"], folder)
    with pytest.raises(NotFound, match=r"empty: no \*\.yaml"):
        read_files(["empty"], folder)


def test_a_file_of_ten_megabytes_is_refused(folder: Path) -> None:
    with (folder / "agents.yaml").open("wb") as file:
        file.truncate(10_000_000)
    with pytest.raises(ConfigError, match=r"agents\.yaml: larger than 1,000,000 bytes"):
        read_files([], folder)


def test_the_owner_is_the_same_however_the_file_is_named(folder: Path, write: Write) -> None:
    path = write("", "agents.yaml")
    link = folder.parent / "link"
    link.symlink_to(folder)
    ways = [([], folder), (["agents.yaml"], folder), ([str(path)], Path("/")), (["link"], folder.parent)]
    owners = [read_files(paths, base)[0][0].path for paths, base in ways]
    assert owners == [path] * 4


def test_an_origin_covers_its_files_and_what_was_in_its_folders(folder: Path, write: Write) -> None:
    write("", "conf/a.yaml")
    write("", "x.yaml")
    _, origin = read_files(["conf", "x.yaml"], folder)
    assert origin.covers(str(folder / "conf" / "gone.yaml"))
    assert origin.covers(str(folder / "x.yaml"))
    assert not origin.covers(str(folder / "y.yaml"))
    assert not origin.covers(str(folder / "conf" / "deeper" / "a.yaml"))
    assert not origin.covers(None)


def test_the_default_origin_covers_both_files_even_where_one_is_gone(folder: Path, write: Write) -> None:
    write("", "agents.yaml")
    _, origin = read_files([], folder)
    assert origin.covers(str(folder / "tools.yaml"))
    assert not origin.covers(str(folder / "other.yaml"))
