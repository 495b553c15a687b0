from __future__ import annotations

import pytest

from agentctl.documents.search.query import Query, parse_query

MAY_2024, MAY_3_2024, YEAR_2025 = 1714521600000, 1714694400000, 1735689600000


def test_words_are_terms_each_once_and_in_order() -> None:
    assert parse_query("Where did Melanie run, and run again?").terms == ("melani", "run")


def test_a_phrase_alone_must_be_there_beside_words_it_only_counts() -> None:
    assert parse_query('"took photos"').phrases == (("take", "photo"),)
    beside = parse_query('beach "took photos"')
    assert (beside.phrases, beside.wishes) == ((), (("take", "photo"),))
    assert beside.terms == ("beach", "take", "photo")


def test_a_phrase_of_stop_words_is_looked_for_letter_by_letter() -> None:
    assert parse_query('"to be or not to be"').letters == ("to be or not to be",)


def test_stop_words_within_a_phrase_must_be_there_too() -> None:
    query = parse_query('"the green tea"')
    assert (query.phrases, query.letters) == ((("green", "tea"),), ("the green tea",))


def test_minus_leaves_out_words_and_phrases() -> None:
    query = parse_query('tea -milk -"green tea"')
    assert (query.terms, query.excluded) == (("tea",), (("milk",), ("green", "tea")))


def test_two_minuses_are_the_name_of_a_flag() -> None:
    query = parse_query("--limit")
    assert (query.terms, query.excluded, query.literal) == (("limit",), (), "--limit")


def test_filters_are_no_words() -> None:
    query = parse_query('plan tag:work TAG:"two words" type:memory after:2024-05 before:2025')
    assert query == Query(
        terms=("plan",),
        tags=("work", "two words"),
        types=("memory",),
        after=MAY_2024,
        before=YEAR_2025,
        literal="plan",
    )


def test_a_day_begins_at_midnight() -> None:
    assert parse_query("x after:2024-05-03").after == MAY_3_2024


@pytest.mark.parametrize("text", ["type:letter", "after:yesterday", "before:2024-13", "after:0001"])
def test_a_filter_that_says_nothing_is_text(text: str) -> None:
    query = parse_query(text)
    assert query.literal == text
    assert not query.holds_filters


@pytest.mark.parametrize(
    "text",
    ["", "   ", '"', '""', '" "', "-", "--", "( ) * ^ :", "tag:", '-""', "\0", ".", "-the", "''", "-foo"],
)
def test_a_query_that_holds_nothing_to_look_for_is_empty(text: str) -> None:
    assert parse_query(text).is_empty


@pytest.mark.parametrize("text", ["%", "_", "🎉", "C++", "€", "the", "東"])
def test_what_can_stand_in_a_text_is_looked_for_as_it_is(text: str) -> None:
    assert parse_query(text).literal == text


def test_an_open_quote_is_none() -> None:
    assert parse_query('"open words').terms == ("open", "word")


def test_a_long_query_is_read_up_to_a_limit() -> None:
    query = parse_query(" ".join(f"word{number}" for number in range(5_000)))
    assert len(query.terms) == 32
    assert query.literal is None
