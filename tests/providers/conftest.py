from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.providers.base import Runtime
from tests.providers.asking import make_runtime


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return make_runtime(tmp_path)
