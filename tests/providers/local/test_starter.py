from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agentctl.errors import ConfigError
from agentctl.providers.local.models import ModelFile
from agentctl.providers.local.place import find_place
from agentctl.providers.local.runtime import check_runtime
from agentctl.providers.local.starter import Starter, find_running
from agentctl.providers.locks import is_held


def test_a_model_that_cannot_be_loaded_says_so_at_once_and_what_to_do(tmp_path: Path) -> None:
    for problem in check_runtime():
        pytest.skip(problem)
    path = tmp_path / "bad.gguf"
    path.write_bytes(b"GGUF" + b"\0" * 5000)
    model = ModelFile("bad", path, routes=False, context=512)
    place = find_place(tmp_path / "run", path, 512)
    starter = Starter(tmp_path / "slots", 60.0)
    with pytest.raises(ConfigError, match="bad could not be started") as caught:
        asyncio.run(asyncio.wait_for(starter.start(place, model), 30))
    assert "OPENAI_API_KEY=" in str(caught.value.hint)
    assert not is_held(place.alive)
    assert not place.socket.exists()


def test_a_key_that_a_dead_server_left_leads_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    place = find_place(tmp_path / "run", path, 512)
    place.socket.touch()
    place.key.write_text('{"key": "k", "runtime": "1", "pid": 1}')
    assert find_running(place) is None
