from __future__ import annotations

import pytest

from agentctl.documents.search.stemmer import stem

# Word and stem from the examples of Porter's paper, taken through all its steps.
PAIRS = """
caresses caress|ponies poni|cats cat|feed feed|agreed agre|plastered plaster|motoring motor|sing sing
conflated conflat|troubled troubl|sized size|hopping hop|falling fall|hissing hiss|failing fail|filing file
happy happi|sky sky|relational relat|conditional condit|rational ration|digitizer digit|operator oper
feudalism feudal|decisiveness decis|hopefulness hope|triplicate triplic|formative form|formalize formal
electrical electr|revival reviv|allowance allow|inference infer|adjustable adjust|replacement replac
adoption adopt|effective effect|probate probat|rate rate|cease ceas|controlling control|roll roll
generalizations gener|oscillators oscil
"""


@pytest.mark.parametrize("pair", PAIRS.replace("\n", "|").strip("|").split("|"))
def test_a_word_has_the_stem_of_the_paper(pair: str) -> None:
    word, expected = pair.split()
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["", "a", "ab", "x86", "naïve", "東京"])
def test_what_is_no_english_word_stays(word: str) -> None:
    assert stem(word) == word
