from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
import yaml

from agentctl.errors import ConfigError, NotFound
from agentctl.formats.yaml import load, parse, read


def problems(text: str | bytes) -> list[str]:
    return [str(problem) for problem in parse(text, "a.yaml").faults]


def refused(text: str | bytes) -> str:
    with pytest.raises(ConfigError) as caught:
        load(text, "a.yaml")
    return caught.value.message


def test_plain_data_comes_out_with_the_types_of_yaml_1_2() -> None:
    text = "a: true\nb: 12\nc: 1e3\nd: ~\ne: null\nf: 0o17\ng: 0xff\nh: -1.5\ni: .inf\n"
    text += "j: [x, '1', \"true\"]\nk:\n"
    assert load(text, "a.yaml").value == {
        "a": True,
        "b": 12,
        "c": 1000.0,
        "d": None,
        "e": None,
        "f": 15,
        "g": 255,
        "h": -1.5,
        "i": float("inf"),
        "j": ["x", "1", "true"],
        "k": None,
    }


def test_a_path_leads_to_line_and_column_of_its_value() -> None:
    document = load("agents:\n  - slug: x\n    tools: [a, b]\n你好: {深: 1}\n", "a.yaml")
    assert document.where(["agents", 0, "slug"]) == (2, 11)
    assert document.where(["agents", 0, "tools", 1]) == (3, 16)
    assert document.where(["你好", "深"]) == (4, 9)
    assert document.where_key(document.value["agents"][0], "tools") == (3, 5)


def test_a_path_that_leads_nowhere_gives_the_last_place_on_it() -> None:
    document = load("a:\n  b: 1\n", "a.yaml")
    assert document.where(["a", "x", "y"]) == (2, 3)


@pytest.mark.parametrize("parser", ["fast", "python"])
def test_both_parsers_give_the_same_values_and_places(parser: str) -> None:
    text = "a: &x [1, two]\nb: *x\nc: |\n  lines\n  more\n'd e': {f: \"\\u00e9\"}\n"
    document = parse(text, "a.yaml", yaml.SafeLoader) if parser == "python" else parse(text, "a.yaml")
    assert document.value == {"a": [1, "two"], "b": [1, "two"], "c": "lines\nmore\n", "d e": {"f": "é"}}
    assert document.where(["d e", "f"]) == (6, 12)
    assert document.faults == ()


@pytest.mark.parametrize("word", ["yes", "Yes", "NO", "no", "on", "Off"])
def test_a_word_that_was_a_truth_value_stays_text_and_is_named(word: str) -> None:
    document = load(f"a: {word}\n", "a.yaml")
    assert document.value == {"a": word}
    (surprise,) = document.surprises
    assert (surprise.line, surprise.column) == (1, 4)
    assert f"`{word}`" in surprise.message
    assert f'quote it: "{word}"' in surprise.message


@pytest.mark.parametrize(
    "word",
    ["12:34:56", "1:20", "2026-01-02", "2026-01-02T10:00:00Z", "010", "08", "1_000", "0b101", "190:20:30.15"],
)
def test_a_number_or_date_of_yaml_1_1_is_named(word: str) -> None:
    (surprise,) = load(f"a: {word}\n", "a.yaml").surprises
    assert f"`{word}`" in surprise.message
    assert f'quote it: "{word}"' in surprise.message


@pytest.mark.parametrize(
    "word", ["'no'", '"on"', "'12:34:56'", "north", "yesterday", "10", "1.5", "-x", "a:b", "v1_0", "y", "n"]
)
def test_what_is_quoted_or_plain_surprises_nobody(word: str) -> None:
    assert load(f"a: {word}\n", "a.yaml").surprises == ()


def test_a_surprising_key_is_named_too() -> None:
    document = load("on: push\n", "a.yaml")
    assert document.value == {"on": "push"}
    assert [str(found)[:12] for found in document.surprises] == ["a.yaml:1:1: "]


def test_a_key_that_is_no_text_is_refused() -> None:
    found = problems("1: a\ntrue: b\n~: c\n[x]: d\n? {y: 1}\n: e\n")
    assert [line.split(" ")[0] for line in found] == [f"a.yaml:{line}:1:" for line in (1, 2, 3, 4)] + [
        "a.yaml:5:3:"
    ]


def test_every_key_that_stands_twice_is_reported_with_the_first() -> None:
    assert problems("a: 1\nb: {c: 1, c: 2}\na: 2\n") == [
        'a.yaml:2:11: the key "c" stands here twice (first in line 2)',
        'a.yaml:3:1: the key "a" stands here twice (first in line 1)',
    ]


def test_tags_merge_keys_and_second_documents_are_refused() -> None:
    assert "tags are not read (!!python/object:os.system)" in refused("a: !!python/object:os.system [ls]\n")
    assert "tags are not read (!mine)" in refused("a: !mine x\n")
    assert "merge keys" in refused("a: &a {x: 1}\nb:\n  <<: *a\n")
    assert refused("a: 1\n---\nb: 2\n").startswith("a.yaml:2:1: a second document")


def test_an_alias_bomb_is_refused_before_it_costs_memory() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    for old, new in zip("abcdefghijklmnop", "bcdefghijklmnopq", strict=True):
        lines.append(f"{new}: &{new} [{', '.join(['*' + old] * 10)}]")
    tracemalloc.start()
    message = refused("\n".join(lines))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "aliases expand" in message
    assert peak < 2_000_000


def test_a_long_text_behind_many_aliases_is_a_bomb_as_well() -> None:
    assert "aliases expand" in refused(f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 20)}]\n")


def test_aliases_that_expand_to_little_are_read() -> None:
    assert load("a: &a {x: 1}\nb: [*a, *a]\n", "a.yaml").value["b"] == [{"x": 1}, {"x": 1}]


def test_an_alias_to_itself_or_to_nothing_is_refused() -> None:
    assert "inside of what it refers to" in refused("a: &a [1, *a]\n")
    assert "unknown alias *b" in refused("a: *b\n")


@pytest.mark.parametrize("text", ["[" * 400_000, "- " * 400_000, "{a: " * 200_000, "? " * 400_000])
def test_deep_nesting_ends_in_an_error_and_not_in_the_stack(text: str) -> None:
    assert refused(text)


@pytest.mark.parametrize("text", ["[" * 10_000, "- " * 10_000, "? " * 10_000])
def test_deep_nesting_is_no_trouble_for_the_python_parser_either(text: str) -> None:
    assert parse(text, "a.yaml", yaml.SafeLoader).faults


def test_more_than_a_megabyte_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(10_000_000)
    tracemalloc.start()
    with pytest.raises(ConfigError, match="larger than 1,000,000 bytes"):
        read(path, "big.yaml")
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_a_file_without_a_size_is_read_no_further_than_the_limit() -> None:
    with pytest.raises(ConfigError, match="larger than"):
        read(Path("/dev/zero"))


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no such file"):
        read(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match="directory"):
        read(tmp_path)


def test_bytes_that_are_no_utf_8_are_named_with_their_offset() -> None:
    assert problems("a: é\nb: ".encode() + b"\xff") == [
        "a.yaml:2:4: not UTF-8 (byte 0xff at offset 9): save the file as UTF-8"
    ]


@pytest.mark.parametrize(
    ("character", "name"), [("\0", "U+0000"), ("\x1b", "U+001B"), ("\x7f", "U+007F"), ("\ud800", "U+D800")]
)
def test_a_character_that_yaml_forbids_is_named_with_its_place(character: str, name: str) -> None:
    assert problems(f"a: 1\nb: x{character}\n") == [f"a.yaml:2:5: the character {name} may not stand in YAML"]


def test_an_escaped_nul_is_refused() -> None:
    assert problems('a: "x\\0y"\n') == ["a.yaml:1:4: the text holds an escaped NUL or half a surrogate pair"]
    assert parse('a: "x\\ud800y"\n', "a.yaml", yaml.SafeLoader).faults


def test_a_byte_order_mark_is_fine() -> None:
    document = load(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n", "a.yaml")
    assert document.value == {"a": 1, "b": 2}
    assert document.where(["b"]) == (2, 4)


def test_nothing_and_comments_are_null() -> None:
    assert load("", "a.yaml").value is None
    assert load("# only words\n", "a.yaml").value is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a:\n\tb: 1\n", "a.yaml:2:1: indented with a tab: use spaces"),
        ("a: @b\n", "a.yaml:1:4: a value cannot start with `@`: quote it"),
        ("a: b: c\n", "a.yaml:1:5: mapping values are not allowed in this context: indent it"),
        ("a: [1\nb: 2\n", "a.yaml:2:2: did not find expected ',' or ']'"),
    ],
)
def test_a_syntax_error_is_one_line_with_its_place_and_advice(text: str, message: str) -> None:
    (found,) = problems(text)
    assert found.startswith(message)


def test_what_was_found_before_a_syntax_error_is_kept() -> None:
    found = problems("a: 1\na: 2\nb: [\n")
    assert len(found) == 2
    assert "stands here twice" in found[0]


def test_faults_without_end_are_cut_off() -> None:
    assert len(problems("a: 1\n" * 100_000)) == 200
