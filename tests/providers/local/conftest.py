from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentctl.config import load_config
from agentctl.domain.model import Model
from agentctl.providers.base import Runtime
from agentctl.providers.local.models import CATALOGUE, find
from agentctl.providers.local.place import find_place
from agentctl.providers.local.runtime import check_runtime
from tests.providers.asking import make_runtime
from tests.providers.local.processes import stop_server

TINY = Model("tiny", "local", "smollm2-135m")


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Runtime]:
    """A runtime with the tiny model, and folders of its own; its server is gone afterwards."""
    kept = Path(load_config(os.environ, {}).cache_dir)
    path = find(CATALOGUE["smollm2-135m"], kept)
    if path is None:
        pytest.skip("the tiny model is not on this machine: agentctl models pull smollm2-135m")
    for problem in check_runtime():
        pytest.skip(problem)
    runtime = make_runtime(tmp_path, stream_timeout=60.0, local_idle=60.0)
    models = runtime.cache_dir / "models"
    models.mkdir(parents=True)
    (models / path.name).symlink_to(path)
    yield runtime
    stop_server(find_place(runtime.run_dir, path, CATALOGUE["smollm2-135m"].context))
