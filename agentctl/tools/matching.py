"""Whether the conditions of a rule hold for the arguments of a call; None where that cannot be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from agentctl.tools.globs import glob_fits
from agentctl.tools.plain_forms import is_url, plain_forms, plain_pattern, written_forms

_MISSING = object()


def matches(where: Mapping[str, Any], arguments: Mapping[str, Any], *, every: bool) -> bool | None:
    """Whether all conditions hold; None where one cannot be compared and none fails.

    With `every`, an argument that is a list has to match with all its items, and a path or URL in all of its
    plain forms; without it one item is enough, in a plain form or as it was written, and a dot of a regular
    expression stands for the end of a line too. An argument that is null was left out, and matches nothing.
    """
    return _all(_holds(condition, _find(arguments, path), every) for path, condition in where.items())


def _find(arguments: Mapping[str, Any], path: str) -> Any:
    found: Any = arguments
    for key in path.split("."):
        if found is None:
            return None
        if not isinstance(found, Mapping) or key not in found:
            return _MISSING
        found = found[key]
    return found


def _holds(condition: Any, given: Any, every: bool) -> bool | None:
    if given is _MISSING:
        return None
    if given is None:
        return False
    if isinstance(given, list | tuple):
        found = [_holds(condition, item, every) for item in given]
        return (_all(found) if every else _any(found)) if found else False
    if isinstance(condition, list | tuple):
        return _any(_holds(each, given, every) for each in condition)
    if isinstance(condition, Mapping):
        return _all(_compare(key, bound, given, every) for key, bound in condition.items())
    if isinstance(condition, str):
        return _fits_glob(condition, given, every)
    if isinstance(given, Mapping | str) or isinstance(condition, bool) != isinstance(given, bool):
        return None
    return bool(condition == given)


def _compare(key: str, bound: Any, given: Any, every: bool) -> bool | None:
    if key == "re":
        return _fits_expression(bound, given, every)
    # Nothing can be said of what is no number.
    if isinstance(given, bool) or not isinstance(given, int | float) or given != given:
        return None
    match key:
        case "lt":
            return bool(given < bound)
        case "lte":
            return bool(given <= bound)
        case "gt":
            return bool(given > bound)
    return bool(given >= bound)


def _fits_expression(expression: str, given: Any, every: bool) -> bool | None:
    if not isinstance(given, str):
        return None
    from agentctl.tools.patterns import tell

    return _fits(lambda form: tell(expression, form, lines=every), given, every)


def _fits_glob(pattern: str, given: Any, every: bool) -> bool | None:
    text = _as_text(given)
    if text is None or (is_url(pattern) and not is_url(text)):
        return None
    plain = plain_pattern(pattern)
    return _fits(lambda form: glob_fits(plain, form), text, every)


def _fits(fits: Callable[[str], bool | None], text: str, every: bool) -> bool | None:
    forms = plain_forms(text)
    if every:
        return _all(map(fits, forms)) if forms else None
    found = _any(fits(form) for form in dict.fromkeys((*forms, *written_forms(text))))
    # Of a URL that has no plain form nobody knows what it does not match.
    return found if found or forms else None


def _as_text(given: Any) -> str | None:
    """A text, or a number or switch as it is written; None for anything else."""
    if isinstance(given, str):
        return given
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, float) and given.is_integer() and abs(given) < 1e15:
        return str(int(given))
    if isinstance(given, int) and abs(given) >= 1 << 1000:
        return None
    return str(given) if isinstance(given, int | float) else None


def _any(found: Iterable[bool | None]) -> bool | None:
    found = list(found)
    return True if True in found else None if None in found else False


def _all(found: Iterable[bool | None]) -> bool | None:
    found = list(found)
    return False if False in found else None if None in found else True
