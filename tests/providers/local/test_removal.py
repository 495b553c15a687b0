from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.errors import Busy, NotFound, UsageError
from agentctl.providers.local.place import find_place
from agentctl.providers.local.removal import find_removable, remove
from agentctl.providers.locks import FileLock


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "models" / "own.gguf"
    path.parent.mkdir()
    path.write_bytes(b"GGUF" + bytes(96))
    return path


def test_a_model_goes_and_its_size_is_said(tmp_path: Path, own: Path) -> None:
    assert remove(find_removable("own", tmp_path), tmp_path / "run") == 100
    assert not own.exists()


@pytest.mark.parametrize("lock", ["alive", "turn"])
def test_a_model_that_is_in_use_stays(tmp_path: Path, own: Path, lock: str) -> None:
    model = find_removable("own", tmp_path)
    place = find_place(tmp_path / "run", own, model.context)
    held = FileLock(getattr(place, lock))
    assert held.try_take()
    with pytest.raises(Busy, match="in use"):
        remove(model, tmp_path / "run")
    held.release()
    assert own.exists()
    remove(model, tmp_path / "run")
    assert not own.exists()


def test_what_is_not_there_is_not_found_and_files_elsewhere_are_left_alone(tmp_path: Path, own: Path) -> None:
    with pytest.raises(NotFound, match="not on this machine"):
        find_removable("smollm2-135m", tmp_path)
    with pytest.raises(NotFound, match='did you mean "own"'):
        find_removable("owns", tmp_path)
    with pytest.raises(UsageError, match="not in the cache"):
        find_removable(str(tmp_path / "elsewhere.gguf"), tmp_path)
