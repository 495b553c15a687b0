from __future__ import annotations

import subprocess
import sys

import pytest

from agentctl.errors import ConfigError
from agentctl.providers import BUILT_IN, KINDS, load_adapter


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_whole_adapter(kind: str) -> None:
    adapter = load_adapter(kind)
    assert isinstance(adapter.embedded, bool)
    assert adapter.default_base_url is None or adapter.default_base_url.startswith("https://")
    assert all(callable(getattr(adapter, name)) for name in ("check", "stream", "close"))


def test_an_unknown_kind_gets_a_suggestion() -> None:
    with pytest.raises(ConfigError, match=r'unknown provider kind "opnai" \(did you mean "openai"\?\)'):
        load_adapter("opnai")


def test_the_tables_are_sorted_and_agree() -> None:
    assert list(KINDS) == sorted(KINDS)
    assert list(BUILT_IN) == sorted(BUILT_IN)
    for slug, provider in BUILT_IN.items():
        assert provider.slug == slug
        assert provider.kind in KINDS


def test_an_adapter_costs_no_heavy_import_before_it_is_asked() -> None:
    code = (
        "import sys; from agentctl.providers import load_adapter\n"
        "load_adapter('openai')\n"
        "print({'asyncio', 'httpx2', 'yaml', 'ssl', 'socket'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
