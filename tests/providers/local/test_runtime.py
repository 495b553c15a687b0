from __future__ import annotations

from dataclasses import replace

import pytest

from agentctl.errors import ConfigError
from agentctl.providers.local.runtime import Machine, check_runtime, require_runtime

GOOD = Machine("Linux", "x86_64", musl=False, avx2=True, libgomp=True, xllamacpp=True)


def test_nothing_stands_in_the_way_of_a_good_machine() -> None:
    assert check_runtime(GOOD) == []
    assert check_runtime(replace(GOOD, system="Darwin", processor="arm64", avx2=None)) == []


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"xllamacpp": False}, "[local]'"),
        ({"libgomp": False}, "apt-get install libgomp1"),
        ({"avx2": False}, "AVX2"),
        ({"musl": True}, "glibc"),
        ({"system": "Windows"}, "Linux or macOS"),
        ({"processor": "riscv64"}, "riscv64"),
    ],
)
def test_each_problem_says_what_to_do(change: dict[str, object], advice: str) -> None:
    (problem,) = check_runtime(replace(GOOD, **change))  # type: ignore[arg-type]
    assert advice in problem
    with pytest.raises(ConfigError) as caught:
        require_runtime(replace(GOOD, **change))  # type: ignore[arg-type]
    assert "OPENAI_API_KEY=" in str(caught.value.hint)
