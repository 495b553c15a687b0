from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest

from agentctl.errors import ConfigError
from agentctl.providers.local.place import LONGEST_SOCKET, find_place


def make_file(folder: Path) -> Path:
    path = folder / "m.gguf"
    path.write_bytes(b"GGUF")
    return path


def test_the_folder_is_closed_to_others(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    run_dir.mkdir(mode=0o755)
    place = find_place(run_dir, make_file(tmp_path), 512)
    assert place.folder.stat().st_mode & 0o777 == 0o700


def test_a_socket_can_be_bound_however_long_the_folder_is() -> None:
    with tempfile.TemporaryDirectory() as short:
        run_dir = Path(short) / ("x" * 100)
        place = find_place(run_dir, make_file(Path(short)), 512)
        assert len(os.fsencode(place.socket)) <= LONGEST_SOCKET
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(place.socket))
        place.socket.unlink()
        assert place.socket.parent.stat().st_mode & 0o777 == 0o700
        place.socket.parent.rmdir()


def test_models_and_settings_have_places_of_their_own(tmp_path: Path) -> None:
    path = make_file(tmp_path)
    first = find_place(tmp_path / "r", path, 512)
    assert find_place(tmp_path / "r", path, 512) == first
    assert find_place(tmp_path / "r", path, 1024) != first
    path.write_bytes(b"GGUF, another")
    assert find_place(tmp_path / "r", path, 512) != first


def test_a_link_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="somebody else"):
        find_place(tmp_path / "run", make_file(tmp_path), 512)
