"""docs/structured-output.md is true: its commands are run, and say what stands there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DOCUMENT = (Path(__file__).parents[2] / "docs" / "structured-output.md").read_text(encoding="utf-8")


@pytest.fixture
def page(tmp_path: Path) -> list[tuple[str, str]]:
    """The commands of the page and what each prints; its files are in the current folder."""
    replies, bad = re.findall(r"^```yaml\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    (tmp_path / "replies.yaml").write_text(replies, encoding="utf-8")
    (tmp_path / "bad.yaml").write_text(bad, encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    entries = "".join(blocks).split("$ agentctl ")[1:]
    return [(line.partition("  #")[0], said) for line, _, said in (each.partition("\n") for each in entries)]


def test_the_commands_on_the_page_print_what_stands_there(
    run: Callable[..., Any], page: list[tuple[str, str]]
) -> None:
    first, second, failing = page
    for line, said in (first, second):
        assert run(line).stdout == said
    told = json.loads(run("sessions messages @last -o json").stdout)
    assert any(
        '- $.born: expected an integer, got "1815"' in json.dumps(each).replace("\\", "") for each in told
    )
    result = run(failing[0], code=9).json()
    assert result["structured_result"] is None
    assert result["error"]["kind"] == "schema"
    assert '$: "born" is missing' in result["error"]["message"]
    assert "kind `schema`" in DOCUMENT


def test_an_answer_that_breaks_its_schema_never_reaches_stdout(
    run: Callable[..., Any], page: list[tuple[str, str]]
) -> None:
    del page
    outcome = run('chat -m script/bad.yaml --schema "name, born int" "Who?"', code=9)
    assert outcome.stdout == ""
    assert '$: "born" is missing' in outcome.stderr


def test_a_mistake_in_the_schema_is_found_before_anything_is_asked(run: Callable[..., Any]) -> None:
    outcome = run('chat -m script/gone.yaml --schema "name, born itn" "Who was it?"', code=2)
    assert 'column 12: "itn" is no type (did you mean "int"?)' in outcome.stderr
    assert run("""chat -m script/gone.yaml --schema '{"type": 1}' "Who was it?" """, code=2).stdout == ""
    assert run('chat -m script/gone.yaml --schema gone.json "Who was it?"', code=6).stdout == ""


def test_the_value_is_in_the_result(run: Callable[..., Any], script: Callable[..., str]) -> None:
    model = script({"text": 'Here: {"n": 1.50, "名": ["é"]}'})
    result = run(f'chat -m {model} --schema "n number, 名 list" -o json "Give me one."').json()
    assert result["structured_result"] == {"n": 1.5, "名": ["é"]}
    assert result["result"] == '{"n": 1.50, "名": ["é"]}'


def test_nothing_of_an_answer_is_streamed_before_it_was_checked(
    run: Callable[..., Any], script: Callable[..., str]
) -> None:
    model = script({"text": ["Sure: ", "never"]}, {"text": ['{"name": ', '"Ann"}']})
    events = [
        json.loads(line)
        for line in run(f"chat 'a b' --schema name -m {model} -o stream-json").stdout.splitlines()
    ]
    said = [event["text"] for event in events if event["type"] in ("message.delta", "message")]
    assert said == ['{"name": ', '"Ann"}', '{"name": "Ann"}']
    assert events[-1]["num_turns"] == 2
    assert events[-1]["structured_result"] == {"name": "Ann"}
    messages = run("sessions messages @last -o json").json()
    assert [message["status"] for message in messages] == ["complete", "rejected", "complete", "complete"]


def test_a_rejected_answer_is_shown_on_stderr_alone(
    run: Callable[..., Any], script: Callable[..., str]
) -> None:
    model = script({"text": "first"}, {"text": "second \x1b[31mred"}, {"text": "never asked"})
    for flags in ("", "-o json", "-o stream-json"):
        outcome = run(f"chat 'a b' --schema name -m {model} {flags}", code=9)
        assert "second" not in outcome.stdout
        assert "second red" in outcome.stderr
        assert "first" not in outcome.stdout


def test_a_repair_is_no_step_and_needs_none(run: Callable[..., Any], script: Callable[..., str]) -> None:
    model = script({"text": "oh"}, {"text": '{"name": "Ann"}'})
    assert run(f"chat 'a b' --schema name --max-steps 1 -m {model}").stdout == '{"name": "Ann"}\n'


def test_words_beside_tool_calls_do_not_reach_stdout(
    run: Callable[..., Any], script: Callable[..., str]
) -> None:
    call = {"name": "calculator", "arguments": {"expression": "1+1"}}
    model = script({"text": "Let me see.", "tool_calls": [call]}, {"text": '```json\n{"sum": 2}\n```'})
    assert run(f"chat 'a b' --schema 'sum int' -m {model}").stdout == '{"sum": 2}\n'
