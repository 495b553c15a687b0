from __future__ import annotations

import json
import random
import time

import pytest

from agentctl.domain.message import File, Message, Part, Reasoning, Text, ToolCall, ToolOutput
from agentctl.domain.tokens import (
    IMAGE_TOKENS,
    MESSAGE_TOKENS,
    estimate_message,
    estimate_tokens,
    estimate_tool,
)
from tests.domain.tokenizers import COUNTS, MODELS, count, find_file, read_samples

SAMPLES = read_samples()
COUNTED = json.loads(COUNTS.read_text(encoding="utf-8"))
LARGE, ENGLISH_ONLY = (COUNTED[model] for model in MODELS)
# What a tokenizer without words of other scripts has to spell in bytes.
OTHER_SCRIPTS = {
    "chinese",
    "emoji",
    "european",
    "japanese",
    "korean",
    "russian",
    "scripts",
    "traditional",
}
PLAIN = sorted(set(SAMPLES) - OTHER_SCRIPTS)


def off(estimate: float, truth: float) -> float:
    return abs(estimate / truth - 1)


@pytest.mark.parametrize("name", SAMPLES)
def test_each_kind_of_text_is_estimated_within_a_fifth(name: str) -> None:
    assert off(estimate_tokens(SAMPLES[name]), LARGE[name]) <= 0.20


@pytest.mark.parametrize("name", PLAIN)
def test_what_needs_no_other_script_is_within_a_fifth_for_a_small_vocabulary_too(name: str) -> None:
    assert off(estimate_tokens(SAMPLES[name]), ENGLISH_ONLY[name]) <= 0.20


def test_mixed_text_is_estimated_within_five_percent() -> None:
    mixed = "\n".join(SAMPLES.values())
    assert off(estimate_tokens(mixed), sum(LARGE[name] for name in SAMPLES)) <= 0.05


def test_mixed_text_without_other_scripts_is_within_ten_percent_for_both_vocabularies() -> None:
    mixed = "\n".join(SAMPLES[name] for name in PLAIN)
    for counts in (LARGE, ENGLISH_ONLY):
        assert off(estimate_tokens(mixed), sum(counts[name] for name in PLAIN)) <= 0.10


@pytest.mark.embedded
@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_the_counts_are_those_of_the_models_own_tokenizers(model: str) -> None:
    path = find_file(model)
    if path is None:
        pytest.skip(f"the model is not on this machine: agentctl models pull {model}")
    pytest.importorskip("xllamacpp")
    assert dict(zip(SAMPLES, count(path, SAMPLES.values()), strict=True)) == COUNTED[model]


def test_nothing_takes_no_tokens() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens(" ") == 0


@pytest.mark.parametrize("text", ["x", "中", "🎉", "\x00", "\ud800", "\U0010ffff", "\u200d", "\x7f é"])
def test_any_character_can_be_estimated(text: str) -> None:
    assert estimate_tokens(text * 1000) > 0


def test_rulers_and_indentation_are_cheap_and_noise_is_not() -> None:
    assert estimate_tokens("-" * 200) < 30
    assert estimate_tokens("a" + " " * 200 + "b") < 10
    assert estimate_tokens("".join(random.Random(1).choices("abcdefXYZ0123456789", k=200))) > 120


@pytest.mark.parametrize(
    "unit", ["aA", "aaaaaaaaaaa0", "a b ", "A" * 31, "中 ", "é", "0", "....", "\n  ", "aA0-"]
)
def test_a_megabyte_of_anything_takes_no_more_than_its_share_of_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    started = time.process_time()
    assert estimate_tokens(text) > 10_000
    assert time.process_time() - started < 10


def test_a_message_counts_its_calls_results_and_files() -> None:
    call = ToolCall("ac_1", "read_file", {"path": "src/main.py", "limit": 120})
    text = estimate_message(Message("user", (Text("Hello there"),)))
    assert text == MESSAGE_TOKENS + estimate_tokens("Hello there")
    called = estimate_message(Message("assistant", (Text("Hello there"), call)))
    assert 20 < called - text < 50
    answered = Message("tool", (ToolOutput("ac_1", "read_file", "line\n" * 100, success=True),))
    assert estimate_message(answered) > 150
    bad = ToolCall("ac_1", "read_file", None, raw="{" + "broken " * 50)
    assert estimate_message(Message("assistant", (bad,))) > 50


def files(*parts: Part) -> int:
    return estimate_message(Message("user", parts)) - MESSAGE_TOKENS


def test_images_are_a_constant_and_a_pdf_goes_by_its_size() -> None:
    assert files(File("a.png", "image/png", data=b"x" * 5_000_000)) == IMAGE_TOKENS
    assert files(File("a.png", "image/png", url="https://example.org/a.png")) == IMAGE_TOKENS
    small = files(File("a.pdf", "application/pdf", data=b"x" * 100_000))
    large = files(File("a.pdf", "application/pdf", size=1_000_000))
    assert IMAGE_TOKENS < small * 9 < large < 100_000
    assert files(File("a.pdf", "application/pdf", url="https://example.org/a.pdf")) > IMAGE_TOKENS


def test_thoughts_count_only_where_they_are_sent_back() -> None:
    parts = (Reasoning("Let me think. " * 100), Text("Yes."))
    without = estimate_message(Message("assistant", parts))
    assert without < 10
    assert estimate_message(Message("assistant", parts, replay={"signature": "x"})) > 300


def test_a_tool_counts_its_name_description_and_schema() -> None:
    parameters = {"type": "object", "properties": {"path": {"type": "string", "description": "a path"}}}
    assert 30 < estimate_tool("read_file", "Reads a file.", parameters) < 60
