from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agentctl.errors import ConfigError, CredentialsError
from agentctl.providers.key_file import LARGEST, KeyFile, StoredKey

KEY = "sk-test-0123456789"
BOUND = StoredKey(KEY, "https://host")
SET_MANY = """
import sys
from pathlib import Path
from agentctl.providers.key_file import KeyFile, StoredKey
for number in range(20):
    KeyFile(Path(sys.argv[1])).put(f"{sys.argv[2]}-{number}", StoredKey("k", None))
"""


def fail(path: Path) -> CredentialsError:
    with pytest.raises(CredentialsError) as caught:
        KeyFile(path).read()
    assert KEY not in f"{caught.value.message}{caught.value.hint}{caught.value.__cause__}"
    return caught.value


def put_text(path: Path, text: str | bytes, mode: int = 0o600) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)
    return path


def test_a_key_comes_back_and_an_earlier_one_goes(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "home" / "keys.json")
    assert file.read() == {}
    file.put("mine", StoredKey("old", "http://old"))
    file.put("mine", BOUND)
    file.put("team", StoredKey("t"))
    assert file.read() == {"mine": BOUND, "team": StoredKey("t")}
    file.delete(["mine", "never-there"])
    assert file.read() == {"team": StoredKey("t")}


def test_the_file_is_for_its_owner_only_whatever_the_umask_says(tmp_path: Path) -> None:
    path = tmp_path / "home" / "keys.json"
    before = os.umask(0)
    try:
        KeyFile(path).put("mine", BOUND)
    finally:
        os.umask(before)
    assert [oct(each.stat().st_mode & 0o777) for each in (path, path.parent)] == ["0o600", "0o700"]
    assert {each.name for each in path.parent.iterdir()} == {"keys.json", "keys.json.lock"}


def test_the_plain_form_is_read_and_kept(tmp_path: Path) -> None:
    path = put_text(tmp_path / "keys.json", json.dumps({"team": KEY}))
    KeyFile(path).put("mine", BOUND)
    assert json.loads(path.read_text()) == {"mine": {"key": KEY, "origin": "https://host"}, "team": KEY}


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    root = str(Path(__file__).parents[2])
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", SET_MANY, str(path), name], env={**os.environ, "PYTHONPATH": root}
        )
        for name in ("a", "b", "c")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert len(KeyFile(path).read()) == 60


def test_a_link_stays_one(tmp_path: Path) -> None:
    real = put_text(tmp_path / "real.json", "{}")
    link = tmp_path / "keys.json"
    link.symlink_to(real)
    KeyFile(link).put("mine", BOUND)
    assert link.is_symlink()
    assert KeyFile(real).read() == {"mine": BOUND}


@pytest.mark.parametrize(
    "entries",
    [
        [KEY],
        KEY,
        None,
        {"mine": 5},
        {"mine": {"a": KEY}},
        {"mine": {"key": KEY, "origin": 5}},
        {"mine": {"key": KEY, "origin": "https://host", "more": 1}},
        {KEY: None},
    ],
)
def test_another_shape_is_refused_without_quoting_it(tmp_path: Path, entries: Any) -> None:
    assert "agentctl keys set" in (fail(put_text(tmp_path / "keys.json", json.dumps(entries))).hint or "")


@pytest.mark.parametrize(
    "text",
    [KEY, "", b"\xff\xfe", "[" * 100_000, '{"a":' * 100_000, "1" * 10_000, " " * (LARGEST + 1)],
    ids=["text", "empty", "bytes", "lists", "mappings", "number", "large"],
)
def test_nonsense_is_a_clear_error(tmp_path: Path, text: str | bytes) -> None:
    path = put_text(tmp_path / "keys.json", text)
    assert str(path) in fail(path).message


def test_what_is_no_file_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        assert str(tmp_path / name) in fail(tmp_path / name).message


def test_a_file_that_others_can_read_is_neither_read_nor_written(tmp_path: Path) -> None:
    path = put_text(tmp_path / "keys.json", json.dumps({"team": KEY}), 0o640)
    assert fail(path).hint == f"chmod 600 {path}"
    with pytest.raises(CredentialsError):
        KeyFile(path).put("mine", BOUND)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way")
    with pytest.raises(ConfigError, match="cannot write the keys to"):
        KeyFile(tmp_path / "home" / "keys.json").put("mine", BOUND)


def test_a_key_is_in_no_repr() -> None:
    assert KEY not in repr(BOUND)
