"""What a plain YAML scalar means: the core schema of YAML 1.2, and the words that YAML 1.1 reads otherwise.

https://yaml.org/spec/1.2.2/#103-core-schema and https://yaml.org/type/ (1.1).
"""

from __future__ import annotations

import re
from typing import Any

CONSTANTS: dict[str, bool | None] = {
    "": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "~": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
TRUE_WORDS = frozenset({"yes", "Yes", "YES", "on", "On", "ON"})
FALSE_WORDS = frozenset({"no", "No", "NO", "off", "Off", "OFF"})
# YAML 1.1 has these too, but hardly any reader of it does: we read them as text, and only write them quoted.
LETTERS = frozenset({"y", "Y", "n", "N"})

_INT = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z")
_ZERO_FIRST = re.compile(r"[-+]?0[0-9_]+\Z")
_SIXTIES = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?\Z")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?\Z")
_GROUPED = re.compile(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|\.?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+][0-9]+)?)\Z")

NUMBER_STARTS = frozenset("0123456789+-.")
# A longer run of digits takes Python quadratic time, and no field of ours needs one.
MAX_DIGITS = 400


def resolve(text: str) -> Any:
    """The value of a plain scalar: None, a bool, an int, a float, or `text` itself."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    if text[0] not in NUMBER_STARTS or len(text) > MAX_DIGITS:
        return text
    if _INT.match(text):
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    if _BASED.match(text):
        return int(text, 0)
    if _SPECIAL.match(text):
        return float(text.replace(".", "").lower())
    return text


def find_surprise(text: str) -> str | None:
    """Why a plain scalar means something else to YAML 1.1 than it does here, and what to write instead."""
    if text in TRUE_WORDS:
        return f'plain `{text}` is true to YAML 1.1 and text to YAML 1.2: write true, or quote it: "{text}"'
    if text in FALSE_WORDS:
        return f'plain `{text}` is false to YAML 1.1 and text to YAML 1.2: write false, or quote it: "{text}"'
    if text == "" or text[0] not in NUMBER_STARTS:
        return None
    if _DATE.match(text):
        return f'plain `{text}` is a date to YAML 1.1: quote it: "{text}"'
    if _SIXTIES.match(text):
        return f'plain `{text}` is a number in base 60 to YAML 1.1: quote it: "{text}"'
    if _ZERO_FIRST.match(text):
        return (
            f'plain `{text}` is octal or text to YAML 1.1: write it without leading 0, or quote it: "{text}"'
        )
    if "_" in text and _GROUPED.match(text):
        return f'plain `{text}` is a number to YAML 1.1: write it without "_", or quote it: "{text}"'
    if text.lstrip("+-").startswith("0b") and _GROUPED.match(text):
        return f'plain `{text}` is a binary number to YAML 1.1: write it in decimals, or quote it: "{text}"'
    return None
