"""The words of a command line with places for arguments: read, checked, and filled without a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from agentctl.domain.value import value
from agentctl.errors import did_you_mean
from agentctl.tools.failure import ToolError

_PART = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)(\.\.\.|\?[^{}]*)?\}|[{}]|[^{}]+")
# Programs that take code as a word, and the options that say so.
_SCRIPT_OPTIONS = {
    **dict.fromkeys(
        ("ash", "bash", "dash", "fish", "ksh", "sh", "zsh"), re.compile(r"-[A-Za-z]*c|--command")
    ),
    "python": re.compile(r"-[A-Za-z]*c"),
    **dict.fromkeys(
        ("bun", "deno", "node", "perl", "ruby"), re.compile(r"-[A-Za-z]*[eEp]|--eval|--print|eval")
    ),
    "php": re.compile("-r"),
}


@value
class Place:
    """Where an argument stands: as a `value`, as a `list` of words, or as a `switch` for the word `flag`."""

    name: str
    kind: str = "value"
    flag: str = ""


@value
class Word:
    """One word of the command line: texts and places in turn."""

    parts: tuple[str | Place, ...]

    @property
    def places(self) -> list[Place]:
        """The places in it."""
        return [part for part in self.parts if isinstance(part, Place)]

    @property
    def text(self) -> str | None:
        """The word, where nothing in it varies."""
        return None if self.places else "".join(map(str, self.parts))


def parse_words(argv: Sequence[str]) -> tuple[list[Word], list[str]]:
    """The words of a template, and what is wrong with how they are written."""
    words, faults = [], []
    for number, text in enumerate(argv, 1):
        parts: list[str | Place] = []
        for match in _PART.finditer(text):
            if match[1]:
                parts.append(_place(match[1], match[2] or ""))
            elif match[0] in ("{", "}"):
                faults.append(f'word {number}: a brace that belongs to the text is written "{match[0] * 2}"')
            else:
                parts.append({"{{": "{", "}}": "}"}.get(match[0], match[0]))
        if "\0" in text:
            faults.append(f"word {number} holds a NUL character")
        words.append(Word(tuple(parts)))
    return words, faults


def named(words: Sequence[Word]) -> set[str]:
    """The arguments that have a place."""
    return {place.name for word in words for place in word.places}


def check_words(words: Sequence[Word], kinds: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with a template for arguments of these types (of JSON Schema, or `enum`)."""
    if words:
        yield from _program_faults(words[0])
    for number, word in enumerate(words[1:], 2):
        for place in word.places:
            fault = _place_fault(place, kinds, alone=len(word.parts) == 1)
            if fault:
                yield f"word {number}: {fault}"
    yield from _script_faults(words)


def fill(words: Sequence[Word], values: Mapping[str, Any], dashes: Set[str]) -> list[str]:
    """The words of one call; what a value holds stays in its word. A word goes where its argument is missing.

    Raises ToolError for a value that would be taken for an option, unless it is one of `dashes` or stands
    behind `--`.
    """
    filled: list[str] = []
    for word in words:
        protected = "--" in filled
        for text in _texts(word, values):
            _refuse_nul(text)
            name = None if protected or not text.startswith("-") else _find_opener(word, values, dashes)
            if name:
                raise ToolError(f'{name}: "{text[:60]}" begins with a dash and would be taken for an option')
            filled.append(text)
    return filled


def show(words: Sequence[str]) -> str:
    """A command line for people to read; no shell ever sees it."""
    from shlex import join

    return join(words)


def _place(name: str, suffix: str) -> Place:
    if suffix == "...":
        return Place(name, "list")
    return Place(name, "switch", suffix[1:]) if suffix else Place(name)


def _program_faults(word: Word) -> Iterator[str]:
    program = word.text
    if program is None:
        yield "word 1: the program itself cannot vary"
    elif not program:
        yield "word 1: the program has no name"
    elif "/" in program and not program.startswith("/"):
        yield "word 1: write the program's name, to be found on PATH, or its whole path"


def _place_fault(place: Place, kinds: Mapping[str, str], *, alone: bool) -> str | None:
    kind = kinds.get(place.name)
    if kind is None:
        return f'there is no argument "{place.name}"{did_you_mean(place.name, kinds)}'
    if place.kind != "value" and not alone:
        return f"the place of {place.name} must be the whole word"
    if (place.kind == "list") != (kind == "array"):
        said = f"{{{place.name}...}}" if kind == "array" else f"{{{place.name}}}"
        return f"{place.name} is of type {kind}: write {said}"
    if place.kind == "switch" and (kind != "boolean" or not place.flag):
        return f"{{{place.name}?--flag}} needs a boolean argument and a word to stand for it"
    return None


def _script_faults(words: Sequence[Word]) -> Iterator[str]:
    """A place inside a script would make code of an argument, which is what having no shell is to prevent."""
    for start, text in enumerate(word.text for word in words):
        # Also python3.11.
        options = _SCRIPT_OPTIONS.get((text or "").rpartition("/")[2].rstrip("0123456789."))
        place = options and _find_script_place(words, start + 1, options)
        if place:
            yield (
                f"word {place}: an argument in the script of {text} would be code; give it as a word "
                "behind the script, or the whole script on stdin"
            )
            return


def _find_script_place(words: Sequence[Word], start: int, options: re.Pattern[str]) -> int | None:
    """The number of the first word that is a script, or an option with one (`-c...`), and holds a place."""
    may_be_option = True
    for at in range(start, len(words)):
        head = words[at].parts[0] if words[at].parts else ""
        may_be_option = may_be_option and isinstance(head, str) and head.startswith("-")
        if may_be_option and words[at].places and options.match(str(head)):
            return at + 1
        if options.fullmatch(words[at].text or "") and words[at + 1 :] and words[at + 1].places:
            return at + 2
    return None


def _texts(word: Word, values: Mapping[str, Any]) -> Iterator[str]:
    if any(place.name not in values for place in word.places):
        return
    if len(word.parts) == 1 and isinstance(word.parts[0], Place):
        place = word.parts[0]
        given = values[place.name]
        if place.kind == "list":
            yield from map(_spell, given)
            return
        if place.kind == "switch":
            if given:
                yield place.flag
            return
    yield "".join(part if isinstance(part, str) else _spell(values[part.name]) for part in word.parts)


def _find_opener(word: Word, values: Mapping[str, Any], dashes: Set[str]) -> str | None:
    """The argument that the first character of the word comes from, where that may not be a dash."""
    for part in word.parts:
        if not isinstance(part, Place) or part.kind == "switch":
            return None
        if part.kind == "list" or _spell(values[part.name]):
            return None if part.name in dashes else part.name
    return None


def _refuse_nul(text: str) -> None:
    if "\0" in text:
        raise ToolError("an argument holds a NUL character, which no program can be given")


def _spell(given: Any) -> str:
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, float) and given.is_integer() and abs(given) < 1e15:
        return str(int(given))
    return str(given)
