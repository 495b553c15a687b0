"""What a person reads before approving a plan: all of it that could do harm."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.domain.plan import Change, ChangeKind, FieldChange, Plan
from agentctl.render.plan import plan_lines

LONG = ["--option-number-" + str(number) for number in range(12)]


def shown(kind: ChangeKind, old: Any, new: Any, name: str = "config") -> list[str]:
    change = Change(kind, "tool", "t", (FieldChange(name, old, new),))
    lines = list(plan_lines(Plan("x.yaml", (change,)), color=False))
    return [line.removeprefix("    ") for line in lines[1:-1]]


def test_a_short_config_stands_on_one_line() -> None:
    assert shown("create", None, {"timeout": 5}) == ['config: {"timeout": 5}']


def test_a_new_config_is_shown_whole_a_key_a_line() -> None:
    config = {
        "argv": ["sh", "-c", "x" * 200],
        "env": {"PATH": "/opt/bin"},
        "allow_private": True,
        "hosts": [],
    }
    assert shown("create", None, config) == [
        "config:",
        "  argv:",
        '    - "sh"',
        '    - "-c"',
        f'    - "{"x" * 200}"',
        '  env: {"PATH": "/opt/bin"}',
        "  allow_private: true",
        "  hosts: []",
    ]


def test_a_long_list_is_shown_whole_an_item_a_line() -> None:
    assert shown("create", None, LONG, "tools") == ["tools:", *(f'  - "{item}"' for item in LONG)]


def test_an_item_that_is_a_mapping_keeps_its_keys_together() -> None:
    rule = {"match": "m" * 40, "action": "a" * 40}
    assert shown("create", None, [rule], "approvals") == [
        "approvals:",
        f'  - match: "{"m" * 40}"',
        f'    action: "{"a" * 40}"',
    ]


def test_of_a_changed_config_the_keys_that_differ_are_shown_old_and_new() -> None:
    old = {"argv": ["ls"], "timeout": 5, "cwd": "/a"}
    new = {"argv": ["ls", *LONG], "timeout": 5, "allow_private": True}
    assert shown("update", old, new) == [
        "config:",
        "  argv:",
        '    was: ["ls"]',
        "    now:",
        '      - "ls"',
        *(f'      - "{item}"' for item in LONG),
        '  cwd: "/a" -> unset',
        "  allow_private: unset -> true",
    ]


def test_values_that_only_python_calls_equal_are_told_apart() -> None:
    assert shown("update", {"a": {"b": 1}}, {"a": {"b": True}}) == ["config:", "  a:", "    b: 1 -> true"]


@pytest.mark.parametrize("kind", ["create", "update"])
def test_nothing_in_a_config_drives_the_terminal_or_fakes_a_line(kind: ChangeKind) -> None:
    evil = {"argv": ["a\x1b[2K\rls\n    harmless: true", "\u202e" + "y" * 80], 'a: 1\nkey "b"': "\u200b"}
    text = "\n".join(shown(kind, {}, evil))
    assert "\\u001b[2K\\rls\\n    harmless: true" in text
    assert "\\u202eyyy" in text
    assert '"a: 1\\nkey \\"b\\"": ' in text
    assert "\\u200b" in text
    assert not set("\x1b\r\u202e\u200b") & set(text)


def test_a_url_is_never_cut() -> None:
    url = "https://example.com/" + "x" * 200
    assert shown("create", None, url, "base_url") == [f'base_url: "{url}"']
    assert shown("update", "https://a", url, "base_url") == [f'base_url: "https://a" -> "{url}"']


def test_a_prompt_of_several_lines_is_cut_and_says_how_long_it_is() -> None:
    prompt = "First line.\n" + "More words. " * 50
    (line,) = shown("create", None, prompt, "system_prompt")
    assert line.startswith('system_prompt: "First line.\\nMore')
    assert line.endswith("… (612 characters)")


def test_an_edit_of_a_prompt_says_where_it_differs() -> None:
    assert shown("update", "a\nb", "a\nc", "system_prompt") == [
        'system_prompt: 3 -> 3 characters, from line 2: "c"'
    ]
