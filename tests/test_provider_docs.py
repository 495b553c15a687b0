from __future__ import annotations

import re
from pathlib import Path

import pytest

from agentctl.domain.model import Model
from agentctl.providers import BUILT_IN, load_adapter
from agentctl.providers.openai_chat.options import OWN
from agentctl.sync.schema import read_declared
from tests.providers.asking import make_runtime

PAGE = (Path(__file__).parent.parent / "docs" / "providers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


def rows(title: str) -> list[list[str]]:
    """The cells of the tables in the section of that title."""
    section = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_built_in_provider_is_documented_with_its_key() -> None:
    keys = {slug: f"`{each.api_key_env}`" if each.api_key_env else "" for slug, each in BUILT_IN.items()}
    assert {row[0].strip("`"): row[1] for row in rows("Built in")} == keys


def test_every_option_of_chat_completions_is_documented() -> None:
    assert {row[0].strip("`") for row in rows("Options")} == OWN | {"max_tokens"}


@pytest.mark.parametrize("block", BLOCKS)
def test_the_declarations_on_the_page_can_be_applied_and_used(block: str, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text(block, encoding="utf-8")
    providers = read_declared([], tmp_path).providers
    assert providers
    environment = dict.fromkeys(re.findall(r"[A-Z_]+_KEY", block), "sk-0123456789")
    for provider in providers:
        if not provider.api_key_cmd:
            adapter = load_adapter(provider.kind)(provider, make_runtime(tmp_path, environment))
            adapter.check(Model("m", provider.slug, "m"))
