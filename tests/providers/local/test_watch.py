from __future__ import annotations

import threading
from pathlib import Path

import pytest

from agentctl.providers.local.place import Place
from agentctl.providers.local.watch import watch
from agentctl.providers.locks import FileLock


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path, "m", tmp_path / "m.sock")
    place.socket.touch()
    place.key.touch()
    return place


def watching(place: Place, idle: float) -> threading.Thread:
    thread = threading.Thread(
        target=watch, args=(place,), kwargs={"idle": idle, "use": FileLock(place.use)}, daemon=True
    )
    thread.start()
    return thread


def test_it_ends_when_nobody_uses_it(place: Place) -> None:
    thread = watching(place, 0.2)
    thread.join(10)
    assert not thread.is_alive()


def test_it_goes_on_while_somebody_does(place: Place) -> None:
    client = FileLock(place.use)
    assert client.try_take(shared=True)
    thread = watching(place, 0.0)
    thread.join(0.5)
    assert thread.is_alive()
    client.release()
    thread.join(10)
    assert not thread.is_alive()


def test_it_ends_when_its_socket_was_removed(place: Place) -> None:
    client = FileLock(place.use)
    assert client.try_take(shared=True)
    thread = watching(place, 600.0)
    place.socket.unlink()
    thread.join(10)
    assert not thread.is_alive()
