from __future__ import annotations

import json

import pytest

from agentctl.providers.wire.documents import cut_documents


def test_documents_in_a_row_are_cut_apart() -> None:
    assert cut_documents('{"a": 1} {"b": 2}\n[3]') == ([{"a": 1}, {"b": 2}, [3]], "")
    assert cut_documents('{"a": 1} nonsense') == ([{"a": 1}], "nonsense")


@pytest.mark.parametrize("levels", [250, 900, 50_000])
def test_a_document_that_nests_too_deeply_is_none(levels: int) -> None:
    deep = "[" * levels + "]" * levels
    assert cut_documents(deep) == ([], deep)


def test_a_long_document_is_not_a_deep_one() -> None:
    wide = [{"x": []}] * 500
    assert cut_documents(json.dumps(wide)) == ([wide], "")
