"""Whether this machine can run embedded models, and what to do where it cannot."""

from __future__ import annotations

import platform
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from agentctl.domain.distribution import distribution_name
from agentctl.errors import ConfigError
from agentctl.providers.local.models import KEY_HINT

_CPUINFO = Path("/proc/cpuinfo")
_TESTED = ("aarch64", "amd64", "arm64", "x86_64")


@dataclass(frozen=True, slots=True)
class Machine:
    """What matters of a machine. `avx2` None means that there is no telling."""

    system: str
    processor: str
    musl: bool
    avx2: bool | None
    libgomp: bool
    xllamacpp: bool


def check_runtime(machine: Machine | None = None) -> list[str]:
    """What stands in the way of running a model, one sentence each with what to do; [] where nothing does."""
    return list(_problems(machine or look()))


def require_runtime(machine: Machine | None = None) -> None:
    """Raise ConfigError for the first thing that stands in the way."""
    for problem in check_runtime(machine):
        raise ConfigError(f"the embedded model cannot run here: {problem}", hint=f"Mend that, {KEY_HINT}")


def look() -> Machine:
    """This machine."""
    system, processor = platform.system(), platform.machine().lower()
    return Machine(
        system=system,
        processor=processor,
        musl="musl" in str(sysconfig.get_config_var("SOABI")),
        avx2=_has_avx2(_CPUINFO) if system == "Linux" and processor in ("x86_64", "amd64") else None,
        libgomp=system != "Linux" or _has_library("libgomp.so.1"),
        xllamacpp=find_spec("xllamacpp") is not None,
    )


def _problems(machine: Machine) -> Iterator[str]:
    if machine.system not in ("Darwin", "Linux"):
        yield f"it needs Linux or macOS, and this is {machine.system}"
        return
    if machine.processor not in _TESTED:
        yield f"there is no build of its runtime for {machine.processor}"
    elif machine.musl:
        yield "its runtime is not built for musl (Alpine); use a system with glibc, such as Debian"
    elif not machine.xllamacpp:
        yield f"its runtime xllamacpp is not installed; {_install_command()}"
    if not machine.libgomp:
        yield "the library libgomp.so.1 is missing; apt-get install libgomp1 (Fedora: dnf install libgomp)"
    if machine.avx2 is False:
        yield "this CPU has no AVX2 instructions, which its runtime needs"


def _install_command() -> str:
    return f"{sys.executable} -m pip install '{distribution_name()}[local]'"


def _has_avx2(cpuinfo: Path) -> bool | None:
    try:
        text = cpuinfo.read_text("utf-8", "replace")
    except OSError:
        return None
    flags = next((line for line in text.splitlines() if line.startswith("flags")), None)
    return None if flags is None else "avx2" in flags.split()


def _has_library(name: str) -> bool:
    import ctypes

    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
