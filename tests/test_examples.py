"""The packages in `examples/` install and do what their README says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome

ROOT = Path(__file__).parent.parent
MOON = ROOT / "examples" / "agentctl-moon"


def make_wheel(source: Path, folder: Path) -> Path:
    """A wheel of one module, by its pyproject.toml; nothing that builds has to be there."""
    settings = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    (module,) = settings["tool"]["setuptools"]["py-modules"]
    version = project["version"]
    info = f"{module}-{version}.dist-info"
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in entries.items())
        for group, entries in project["entry-points"].items()
    )
    files = {
        f"{module}.py": (source / f"{module}.py").read_text(encoding="utf-8"),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": points,
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    wheel = folder / f"{module}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel


@pytest.fixture
def moon(tmp_path: Path, agentctl: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """Agentctl with the package installed."""
    site = tmp_path / "site"
    flags = ("--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--target", str(site))
    wheel = make_wheel(MOON, tmp_path)
    subprocess.run([sys.executable, "-m", "pip", "install", *flags, str(wheel)], check=True, timeout=60)

    def run(line: str, **options: object) -> Outcome:
        return agentctl(line, env={"PYTHONPATH": f"{ROOT}:{site}"}, **options)

    return run


def test_an_installed_package_adds_its_type(moon: Callable[..., Outcome], tmp_path: Path) -> None:
    readme = (MOON / "README.md").read_text(encoding="utf-8")
    (declaration,) = re.findall(r"```yaml\n(.*?)```", readme, re.DOTALL)
    lines = [line for line in readme.splitlines() if line.startswith("agentctl ")]
    printed = [moon(line.removeprefix("agentctl ")).stdout for line in lines]
    assert "agentctl-moon 1.0" in printed[0]
    assert json.loads(printed[-1]) == {"phase": "full moon", "lit_percent": 100, "lit_side": "left"}
    (tmp_path / "tools.yaml").write_text(declaration)
    moon("apply --yes")
    south = moon("tools run moon --arg day=2026-12-24").stdout
    assert json.loads(south)["lit_side"] == "right"


def test_its_config_and_arguments_are_checked_like_any_others(
    moon: Callable[..., Outcome], tmp_path: Path
) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{slug: moon, type: moon, config: {hemisphere: east}}]")
    assert "must be one of north, south" in moon("validate", code=5).stderr
    moon("tools create moon --type moon")
    assert "day: must match" in moon("tools run moon --arg day=tomorrow", code=2).stderr
    assert "there is no day 2026-02-30" in moon("tools run moon --arg day=2026-02-30", code=15).stderr


def test_without_the_package_its_type_is_unknown_and_says_so(agentctl: Callable[..., Outcome]) -> None:
    outcome = agentctl(shlex.join(["tools", "create", "moon", "--type", "moon"]), code=5)
    assert 'unknown tool type "moon"' in outcome.stderr
