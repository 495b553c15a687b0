"""How many tokens a text, a message or a tool takes, estimated without the model's own tokenizer.

A text is cut into runs of characters of one class, as byte-pair tokenizers cut it before they look anything
up, and each class has a price. The prices are measured (tests/domain/test_tokens.py); a tokenizer that was
made for English alone needs up to three times as many tokens for other scripts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from agentctl.domain.message import File, Message, Part, Reasoning, Text, ToolCall, ToolOutput
from agentctl.domain.token_classes import ASCII, PRICES, Classes

# Roles and the marks around them.
MESSAGE_TOKENS = 4
# The name and the id of a call, of its result, of a tool; the marks around each.
CALL_TOKENS = 12
TOOL_TOKENS = 10
IMAGE_TOKENS = 1500
# A page of a PDF is about 50 kB and is sent as text and as an image.
_PDF_BYTES_PER_TOKEN = 25
_PDF_UNKNOWN = 20_000

_WORD = 1.08
# Words up to this length are mostly in the vocabulary.
_LONG_WORD = 12
_FURTHER_LETTER = 0.22
# A letter of base64, hexadecimal digits and other noise.
_NOISE = 0.75
# Several spaces: at the start of a line, and within one.
_INDENTATION = 0.45
_GAP = 1.0
_SPACE = 0.01
# Marks that are drawn out to lines and frames, and what they cost from there on.
_RULERS = ".no"
_LONG_RULER = 6
_FURTHER_MARK = 0.05

# Shorter texts are read in one go.
_WORTH_SORTING = 4096

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
# A word; noise, in which digits stand among letters again and again; parts of names such as HTTPServer2.
_RUN = re.compile(r"A?a++(?![A0])|(?:[aA]{0,12}+0){4}[aA0]*|A?a+|A+(?=Aa)|A+|\.+|0+|n+|z+")
_RUN_BEYOND = re.compile("|".join(f"{letter}+" for letter in "cjpkrlgsitoevxRz"))
_SPACES = re.compile(r"n?  +")


def estimate_tokens(text: str) -> int:
    """About how many tokens a large vocabulary needs for `text`; 0 for an empty one. Linear in its length."""
    if text.isascii():
        return round(_price_ascii(text))
    beyond = " ".join(_BEYOND_ASCII.findall(text)).translate(Classes())
    return round(_price_ascii(_BEYOND_ASCII.sub("\x7f", text)) + _price_all(_RUN_BEYOND.findall(beyond)))


def _price_ascii(text: str) -> float:
    shape = text.translate(ASCII)
    gaps = Counter(_SPACES.findall(shape)) if "  " in shape else {}
    # A space belongs to the word behind it, but not to a number.
    total = shape.count(" 0") + sum(count * _price_gap(gap) for gap, count in gaps.items())
    if len(shape) < _WORTH_SORTING:
        return total + _price_all(_RUN.findall(shape))
    # Many words have one shape: each is looked at once, and the rest in one go.
    words = Counter(shape.split())
    rest = " ".join(word for word, count in words.items() if count == 1)
    repeated = ((word, count) for word, count in words.items() if count > 1)
    total += sum(count * _price_all(_RUN.findall(word)) for word, count in repeated)
    return total + _price_all(_RUN.findall(rest))


def _price_all(runs: Iterable[str]) -> float:
    return sum(count * _price(run) for run, count in Counter(runs).items())


def _price(run: str) -> float:
    """The tokens of one run: a word, noise, or characters of one class."""
    if run[-1] == "a" and "0" not in run:
        return _WORD + _FURTHER_LETTER * max(0, len(run) - _LONG_WORD)
    if "0" in run:
        digits = run.count("0")
        return digits + _NOISE * (len(run) - digits)
    first, further = PRICES[run[0]]
    length = len(run)
    if run[0] in _RULERS and length > _LONG_RULER:
        return first + further * (_LONG_RULER - 1) + _FURTHER_MARK * (length - _LONG_RULER)
    return first + further * (length - 1)


def _price_gap(gap: str) -> float:
    return (_INDENTATION if gap[0] == "n" else _GAP) + len(gap) * _SPACE


def estimate_message(message: Message) -> int:
    """About how many tokens a message takes in a request, calls, results and files included.

    Thoughts count where the message must be sent back as its provider made it.
    """
    return MESSAGE_TOKENS + sum(
        _estimate_part(part) for part in message.parts if message.replay or not isinstance(part, Reasoning)
    )


def estimate_tool(name: str, description: str, parameters: Mapping[str, Any]) -> int:
    """About how many tokens a request spends on a tool's schema."""
    return TOOL_TOKENS + sum(map(estimate_tokens, (name, description, _compact(parameters))))


def _estimate_part(part: Part) -> int:
    match part:
        case Text(text) | Reasoning(text):
            return estimate_tokens(text)
        case ToolCall():
            said = part.raw or "" if part.arguments is None else _compact(part.arguments)
            return CALL_TOKENS + estimate_tokens(part.name) + estimate_tokens(said)
        case ToolOutput():
            return CALL_TOKENS + estimate_tokens(part.text)
        case File():
            return _estimate_file(part)


def _estimate_file(file: File) -> int:
    """A constant for an image, for providers shrink it; by the size for a PDF."""
    if file.kind == "image":
        return IMAGE_TOKENS
    size = len(file.data) if file.data is not None else file.size
    return _PDF_UNKNOWN if size is None else max(IMAGE_TOKENS, size // _PDF_BYTES_PER_TOKEN)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
