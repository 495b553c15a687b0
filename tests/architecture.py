"""Writes the map of modules into ARCHITECTURE.md: `python -m tests.architecture`."""

from __future__ import annotations

import ast
from pathlib import Path

import agentctl

ROOT = Path(agentctl.__file__).parent
DOCUMENT = ROOT.parent / "ARCHITECTURE.md"
START, END = "<!-- map -->", "<!-- end of map -->"


def first_sentence(path: Path) -> str:
    """The sentence with which a module says what it is for."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def module_map() -> str:
    """Every package with its modules and their sentences, in Markdown."""
    lines: list[str] = []
    for package in sorted({path.parent for path in ROOT.rglob("*.py")}):
        name = package.relative_to(ROOT.parent).as_posix()
        lines += ["", f"**`{name}/`** {first_sentence(package / '__init__.py')}", ""]
        lines += [
            f"- `{path.name}`: {first_sentence(path)}"
            for path in sorted(package.glob("*.py"))
            if path.name != "__init__.py"
        ]
    return "\n".join(lines).strip() + "\n"


def with_map(document: str) -> str:
    """The document with the map as the code has it now."""
    head, _, rest = document.partition(START)
    _, _, tail = rest.partition(END)
    return f"{head}{START}\n{module_map()}{END}{tail}"


if __name__ == "__main__":
    DOCUMENT.write_text(with_map(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
