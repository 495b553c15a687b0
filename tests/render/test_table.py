"""Tables for people: what is cut, what is wrapped, what is left out where the screen is narrow."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from rich.cells import cell_len

from agentctl.render.table import write_table


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Any:
    def call(rows: Sequence[Mapping[str, Any]], *, screen: int = 40, many: bool = True) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(screen))
        stream = io.StringIO()
        write_table(stream, rows, list(rows[0]), many=many, color=False)
        return [line.rstrip() for line in stream.getvalue().splitlines()]

    return call


def test_a_table_that_fits_is_shown_whole(show: Any) -> None:
    assert show([{"slug": "fast", "name": "a model"}]) == ["SLUG  NAME", "fast  a model"]


def test_ids_times_and_numbers_are_never_cut(show: Any) -> None:
    row = {
        "id": "as_mx3szizl_o9s6t0to",
        "title": "日本語のタイトルがとても長いとき",
        "last_active_at": "2026-11-30T21:54:43.940Z",
        "requests": 12345678,
    }
    lines = show([row], screen=80)
    assert "as_mx3szizl_o9s6t0to" in lines[1]
    assert "2026-11-30T21:54:43.940Z" in lines[1]
    assert lines[1].endswith("12345678")
    assert "…" in lines[1]
    assert all(cell_len(line) <= 80 for line in lines)


def test_columns_without_room_are_named_and_not_begun(show: Any) -> None:
    lines = show([{"slug": "a" * 20, "kind": "b" * 20, "key": "c" * 20, "source": "d" * 20}], screen=46)
    assert lines[0].split() == ["SLUG", "KIND", "KEY"]
    assert " ".join(lines[2:]) == "no room for SOURCE: widen the terminal, or -o json"


def test_what_a_person_is_to_do_is_wrapped_to_its_last_word(show: Any) -> None:
    lines = show(
        [{"check": "home", "detail": "open to all", "repair": "chmod 700 /somewhere, and look again"}]
    )
    start = lines[0].index("REPAIR")
    assert " ".join(line[start:] for line in lines[1:]) == "chmod 700 /somewhere, and look again"


def test_numbers_stand_on_the_right_with_dashes_for_what_is_unknown(show: Any) -> None:
    lines = show([{"model": "a", "cost": "-"}, {"model": "b", "cost": "10.25"}])
    assert lines == ["MODEL   COST", "a          -", "b      10.25"]


def test_things_in_one_thing_stand_on_a_line_each(show: Any) -> None:
    lines = show([{"id": "as_1", "runs": [{"id": "ar_1"}, {"id": "ar_2"}], "tags": ["x", "y"]}], many=False)
    assert lines == ["id    as_1", 'runs  {"id": "ar_1"}', '      {"id": "ar_2"}', "tags  x, y"]
