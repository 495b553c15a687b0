"""Whether agentctl itself is installed well."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path

import agentctl
from agentctl.config import Config
from agentctl.domain.finding import Finding

# A few stale files are what a developer has; more cost time at every start.
SHARE = 0.1


def check_installation(config: Config) -> Iterator[Finding]:
    """Versions and byte code."""
    python = platform.python_version()
    yield Finding("agentctl", "ok", f"version {agentctl.__version__}, Python {python}, {platform.system()}")
    yield _check_byte_code(Path(agentctl.__file__).parent)
    yield _check_folder("home", config.home)


def _check_byte_code(package: Path) -> Finding:
    sources = list(package.rglob("*.py"))
    missing = [source for source in sources if not _is_compiled(source)]
    if len(missing) <= SHARE * len(sources):
        return Finding("byte code", "ok", f"compiled for {sys.implementation.cache_tag}")
    repair = f"{sys.executable} -m compileall -q {package}"
    detail = f"{len(missing)} of {len(sources)} modules are compiled anew at every start"
    return Finding("byte code", "problem", detail, repair)


def _is_compiled(source: Path) -> bool:
    try:
        compiled = Path(cache_from_source(str(source)))
        return compiled.stat().st_mtime >= source.stat().st_mtime
    except OSError:
        return False


def _check_folder(name: str, folder: str) -> Finding:
    if not os.path.isdir(folder):
        return Finding(name, "ok", f"{folder} is made when it is needed")
    if os.name == "posix" and os.stat(folder).st_mode & 0o077:
        return Finding(name, "note", f"others can look into {folder}", f"chmod 700 {folder}")
    return Finding(name, "ok", folder)
