"""Tells a user what tools gave: as it is where a small model would only spoil it, else through the model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agentctl.domain.message import ToolCall, ToolOutput

SYSTEM = "You are a helpful assistant. Answer briefly."
# Told in English, the model answers in English whatever the question is in.
_HAN = re.compile("[\u4e00-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")
# A longer plain text (a page, a document) is something to speak about, not an answer.
_LONGEST_LITERAL = 400
_LONGEST_RESULT = 6000


@dataclass(frozen=True, slots=True)
class Outcome:
    """A call and what came of it."""

    call: ToolCall
    output: ToolOutput


def tell_literally(outcomes: Sequence[Outcome]) -> str | None:
    """The results as the answer, or None where the model should put them into words.

    Failures, short plain texts, JSON that a tool has written as text, and one value or list of texts (as
    identifiers are) are told as they are: a small model drops characters of them, or explains a failure away.
    """
    told = [_tell(outcome.output) for outcome in outcomes]
    return None if not told or None in told else "\n".join(text for text in told if text is not None)


def build_question(question: str, outcomes: Sequence[Outcome]) -> str:
    """What the model is asked once the results are there: as plain text, for it repeats calls it is shown."""
    results = "\n".join(_spell(outcome) for outcome in outcomes)
    if _HAN.search(question) and not _KANA.search(question):
        return f"问题：{question}\n\n工具结果：{results}\n\n请根据工具结果回答问题。"
    return f"Question: {question}\n\n{results}\n\nAnswer the question in one sentence."


def find_omission(answer: str, question: str, outcomes: Sequence[Outcome]) -> str | None:
    """What an answer must not lack and does.

    That is the one value of a result, or any member of its lists, or everything where the answer is nothing
    but the question once more.
    """
    if _same(answer, question):
        return "\n".join(outcome.output.text for outcome in outcomes)
    missing = [text for text in (_missing(answer, outcome) for outcome in outcomes) if text]
    return "\n".join(missing) or None


def _tell(output: ToolOutput) -> str | None:
    if not output.success:
        return f"{output.name}: {output.text.removeprefix('Error: ')}"
    data, spelled_by_tool = _read(output.text)
    if spelled_by_tool:
        return output.text if data is not None or len(output.text) <= _LONGEST_LITERAL else None
    if not isinstance(data, dict) or len(data) != 1:
        return None
    value = next(iter(data.values()))
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return None


def _read(text: str) -> tuple[Any, bool]:
    """The JSON in `text`, None where there is none, and whether a tool has spelled that text itself."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None, True
    return data, not isinstance(data, (dict, list)) or json.dumps(data, ensure_ascii=False) != text


def _spell(outcome: Outcome) -> str:
    arguments = json.dumps(dict(outcome.call.arguments or {}), ensure_ascii=False)[1:-1]
    text = outcome.output.text
    if len(text) > _LONGEST_RESULT:
        text = f"{text[:_LONGEST_RESULT]} ..."
    return f"{outcome.output.name}({arguments}) = {text}"


def _missing(answer: str, outcome: Outcome) -> str | None:
    data, _ = _read(outcome.output.text)
    if not outcome.output.success or not isinstance(data, dict):
        return None
    plain = _plain(answer)
    asked = {str(value) for value in (outcome.call.arguments or {}).values()}
    values = [str(value) for value in _leaves(data) if str(value) not in asked]
    if len(values) == 1:
        return None if _plain(values[0]) in plain else values[0]
    members = [value for inner in data.values() if isinstance(inner, list) for value in _leaves(inner)]
    texts = [value for value in members if isinstance(value, str) and len(value) > 1]
    if not texts or any(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", answer) for text in texts):
        return None
    return outcome.output.text


def _same(answer: str, question: str) -> bool:
    words = [re.sub(r"\W+", "", text).lower() for text in (answer, question)]
    return words[0] == words[1]


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None:
        yield value


def _plain(text: str) -> str:
    """`text` without the marks that group digits, and in small letters."""
    return re.sub(r"(?<=\d)[,_\s'](?=\d{3})", "", text).lower()
