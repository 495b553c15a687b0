from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest
import yaml

from agentctl.formats.dump import dump
from agentctl.formats.yaml import load, parse

ODD_TEXTS = [
    "",
    " ",
    "no",
    "Yes",
    "null",
    "~",
    "true",
    "1e3",
    "12:34:56",
    "2026-01-01",
    "0x1F",
    "007",
    "-",
    "- a",
    "a: b",
    "a #b",
    "#a",
    " leading",
    "trailing ",
    "tab\there",
    "\ttab first",
    "quote \" and ' and \\",
    "---",
    "...",
    "%x",
    "@x",
    "*x",
    "&x",
    "!x",
    "<<",
    "=",
    "{a}",
    "[a]",
    "你好，世界",
    "日本語: テスト",
    "🙂 emoji 👩‍💻",
    "a" * 5000,
    "line one\nline two\n",
    "no newline at the end\nx",
    "many at the end\n\n\n",
    "\nleading newline",
    "  indented\n first",
    "a\n  \nb",
    "\n",
    "\n\n",
    "a\tb\n\tc\n",
    "trailing \nspaces  \n",
    "a\r\nb\r\n",
    "next\x85line",
    "line\u2028separator\n",
    "bell\x07",
    "\ufeffmark",
]


def reads_back(value: Any) -> None:
    text = dump(value)
    document = load(text, "dumped")
    assert document.value == value
    assert document.surprises == ()
    assert yaml.safe_load(text) == value, "YAML 1.1 reads something else"


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_an_odd_text_reads_back_wherever_it_stands(text: str) -> None:
    reads_back(text)
    reads_back({"key": text, "next": 1})
    reads_back([text, [text, {"deep": {"er": text}}]])
    reads_back({text: "as a key"})


def test_a_long_key_reads_back() -> None:
    reads_back({"k" * 2000: {"x": 1}, "list": [{"k" * 2000: ["a", {"y": "b\nc"}]}]})


@pytest.mark.parametrize("number", [0, -1, 10**20, 1.5, -0.0, 1e300, 1e-9, 1e16, float("inf"), float("-inf")])
def test_numbers_read_back_as_what_they_were(number: float) -> None:
    reads_back({"n": number})
    assert type(load(dump(number), "dumped").value) is type(number)


def test_block_style_is_for_people() -> None:
    value = {
        "slug": "x",
        "prompt": "One.\nTwo.\n",
        "tools": ["a", {"slug": "b", "on": True}],
        "none": None,
        "empty": {},
        "nothing": [],
        "版本": "yes",
    }
    assert dump(value) == (
        "slug: x\n"
        "prompt: |\n"
        "  One.\n"
        "  Two.\n"
        "tools:\n"
        "  - a\n"
        "  - slug: b\n"
        '    "on": true\n'
        "none: null\n"
        "empty: {}\n"
        "nothing: []\n"
        '版本: "yes"\n'
    )


def test_anything_random_reads_back_with_both_parsers() -> None:
    chance = random.Random(7)

    def text() -> str:
        return "".join(
            chance.choice([*ODD_TEXTS[:40], "\n", " ", ":", "x"]) for _ in range(chance.randint(0, 4))
        )

    def value(depth: int = 0) -> Any:
        kind = chance.random()
        if depth > 3 or kind < 0.5:
            return text()
        if kind < 0.6:
            return chance.choice([None, True, False, 3, 2.5])
        if kind < 0.8:
            return [value(depth + 1) for _ in range(chance.randint(0, 3))]
        return {text(): value(depth + 1) for _ in range(chance.randint(0, 3))}

    for _ in range(500):
        one = value()
        written = dump(one)
        assert load(written, "dumped").value == one, written
        assert parse(written, "dumped", yaml.SafeLoader).value == one, written


def test_writing_yaml_does_not_import_pyyaml() -> None:
    code = "import sys, agentctl.formats.dump; print('yaml' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_what_yaml_has_no_word_for_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        dump({"a": object()})
    with pytest.raises(TypeError, match="key"):
        dump({1: "a"})
