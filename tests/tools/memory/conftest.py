"""The tool `memory` on the same desk as `document`."""

from __future__ import annotations

import pytest

from agentctl.store import Store
from tests.tools.document.conftest import Desk


@pytest.fixture
def memory(store: Store) -> Desk:
    return Desk(store, "memory")
