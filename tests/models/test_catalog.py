"""The shipped catalogue: small, sound, and never a guess."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agentctl.domain.model import Model, Provider
from agentctl.models.catalog import FIELDS, KINDS, PATH, SAME, Catalog
from agentctl.providers import BUILT_IN, EMBEDDED_MODEL
from agentctl.providers.local.models import CATALOGUE
from agentctl.sync.fields import MODEL

ENTRIES = json.loads(Path(PATH).read_text(encoding="utf-8"))
ROWS = [(slug, name, row) for slug, entry in ENTRIES.items() for name, row in entry["models"].items()]
OPENAI = Provider("openai", "openai")


def complete(name: str, provider: Provider = OPENAI, **said: object) -> Model:
    model = replace(Model(f"{provider.slug}/{name}", provider.slug, name), **said)  # type: ignore[arg-type]
    return Catalog().complete(model, provider)


def test_the_file_is_small_and_says_where_it_comes_from() -> None:
    assert Path(PATH).stat().st_size < 40_000
    for entry in ENTRIES.values():
        assert set(entry) == {"source", "as_of", "note", "models"}
        assert len(entry["as_of"]) == len("2026-01-31")
    assert {"openai", "anthropic", "gemini", "deepseek", "mistral", "groq", "xai"} <= set(ENTRIES)


@pytest.mark.parametrize(("slug", "name", "row"), ROWS, ids=[f"{slug}/{name}" for slug, name, _ in ROWS])
def test_every_fact_is_one_that_yaml_would_take(slug: str, name: str, row: dict[str, object]) -> None:
    assert set(row) <= set(FIELDS)
    for key, value in row.items():
        assert MODEL[key].kind.check(value) is None
    if slug != "local":
        assert row["context_window"]
        # A price of zero in the file would be a price that nobody knew.
        assert all(row[key] for key in ("input_price", "output_price"))
        assert float(str(row.get("cached_input_price", 0))) <= float(str(row["input_price"]))


def test_a_known_model_gets_all_that_is_known() -> None:
    model = complete("gpt-4.1-mini")
    assert (model.input_price, model.output_price, model.cached_input_price) == (0.4, 1.6, 0.1)
    assert (model.context_window, model.max_output_tokens) == (1_047_576, 32_768)
    assert model.inputs == ("image", "pdf")


@pytest.mark.parametrize("name", ["gpt-4.1-mini-2025-04-14", "gpt-4.1-mini-20250414", "gpt-4.1-mini-latest"])
def test_a_snapshot_costs_what_its_model_costs(name: str) -> None:
    assert complete(name).input_price == 0.4


def test_a_snapshot_with_a_price_of_its_own_keeps_it() -> None:
    assert complete("gpt-4o-2024-05-13").input_price == 5.0
    assert complete("gpt-4o-2024-08-06").input_price == 2.5


@pytest.mark.parametrize("name", ["gpt-4.1-min", "gpt-4.1-mini-2025", "gpt-4.1-mini-x", "gpt-99", ""])
def test_an_unknown_name_has_an_unknown_price_and_never_zero(name: str) -> None:
    model = complete(name)
    assert [getattr(model, field) for field in FIELDS] == [None] * len(FIELDS)


def test_the_same_name_elsewhere_is_another_model() -> None:
    assert complete("gpt-4.1-mini", Provider("mine", "openai")).input_price is None


@pytest.mark.parametrize(("slug", "other"), SAME.items())
def test_the_same_place_over_another_protocol_has_the_same_prices(slug: str, other: str) -> None:
    assert BUILT_IN[slug].base_url == BUILT_IN[other].base_url
    assert complete("gpt-4.1-mini", BUILT_IN[slug]).input_price == 0.4
    assert Catalog().source(slug, "gpt-4.1-mini") == Catalog().source(other, "gpt-4.1-mini")


def test_what_is_declared_stays_field_by_field() -> None:
    model = complete("gpt-4.1-mini", input_price=0.0, inputs=())
    assert (model.input_price, model.inputs) == (0.0, ())
    assert model.output_price == 1.6
    assert model.assumed == set(FIELDS) - {"input_price", "inputs"}


@pytest.mark.parametrize("kind", KINDS)
def test_what_runs_here_is_really_free(kind: str) -> None:
    model = complete("anything", Provider("mine", kind))
    assert (model.input_price, model.output_price, model.cached_input_price) == (0.0, 0.0, 0.0)


def test_the_embedded_models_are_the_ones_that_can_be_pulled() -> None:
    assert Catalog().names("local") == sorted(CATALOGUE)
    assert EMBEDDED_MODEL.removeprefix("local/") in CATALOGUE
    assert {model.context for model in CATALOGUE.values()} == {KINDS["local"]["context_window"]}


def test_a_source_is_known_for_what_stands_in_the_file() -> None:
    assert "2026" in str(Catalog().source("openai", "gpt-4.1-mini"))
    assert Catalog().source("openai", "gpt-of-my-own") is None
    assert Catalog().source("ollama", "gpt-4.1-mini") is None
