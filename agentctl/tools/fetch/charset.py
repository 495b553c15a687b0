"""Finds out in which charset a page is written, and decodes it.

The order is that of the HTML standard: a byte order mark, the header, the page's own word, then a guess.
"""

from __future__ import annotations

import codecs
import re

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"""<meta[^>]{1,500}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{1,200}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_HEAD = 4_096
_SAMPLE = 16_384

# The label on the web -> the codec that browsers use for it; any other label is no charset of the web.
_CODECS = {
    "cp1252": "ascii cp1252 iso-8859-1 iso8859-1 iso_8859-1 l1 latin1 us-ascii windows-1252 x-cp1252",
    "utf-8": "unicode-1-1-utf-8 utf-8 utf8",
    "utf-16-le": "utf-16 utf-16le unicode ucs-2 iso-10646-ucs-2",
    "utf-16-be": "utf-16be",
    "gb18030": "chinese gb18030 gb2312 gb_2312 gb_2312-80 gbk x-gbk",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "cp932": "ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "euc_jp": "euc-jp x-euc-jp",
    "iso2022_jp": "iso-2022-jp",
    "cp949": "euc-kr korean ks_c_5601-1987 ksc5601 windows-949",
    "cp1250": "cp1250 windows-1250 x-cp1250",
    "cp1251": "cp1251 windows-1251 x-cp1251",
    "cp1253": "cp1253 windows-1253",
    "cp1254": "cp1254 iso-8859-9 iso8859-9 latin5 windows-1254",
    "cp1255": "cp1255 windows-1255",
    "cp1256": "cp1256 windows-1256",
    "cp1257": "cp1257 windows-1257",
    "cp1258": "cp1258 windows-1258",
    "cp874": "iso-8859-11 tis-620 windows-874",
    "cp866": "866 cp866 ibm866",
    "koi8-r": "koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "mac-roman": "mac macintosh x-mac-roman",
    **{
        f"iso8859-{part}": f"iso-8859-{part} iso8859-{part} iso_8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8)
    },
    **{f"iso8859-{part}": f"iso-8859-{part} iso8859-{part}" for part in (10, 13, 14, 15, 16)},
}
_LABELS = {label: codec for codec, labels in _CODECS.items() for label in labels.split()}


def decode(body: bytes, named: str | None, *, markup: bool, cut: bool = False) -> str:
    """`body` as text; `named` is the header's charset, `markup` says whether the page can name its own.

    `cut` says that more came after it, so that its end may be half a character. Bytes that fit no character
    become U+FFFD.
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    codec = _LABELS.get(named or "") or (_find_declared(body) if markup else None) or ""
    if codec:
        return body.decode(codec, "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(body, final=not cut)
    except UnicodeDecodeError:
        return body.decode(_guess(body), "replace")


def _find_declared(body: bytes) -> str | None:
    head = body[:_HEAD]
    found = _META.search(head) or _XML.search(head)
    codec = _LABELS.get(found[1].decode().lower()) if found else None
    # Who can read the declaration byte by byte does not read UTF-16 (HTML standard, 13.2.3.2).
    return "utf-8" if codec and codec.startswith("utf-16") else codec


def _guess(body: bytes) -> str:
    from charset_normalizer import from_bytes

    # Text that is mostly tags looks like English in any charset.
    found = from_bytes(re.sub(rb"<[^<>]*>", b" ", body[: 4 * _SAMPLE])[:_SAMPLE]).best()
    codec = _LABELS.get(found.encoding.replace("_", "-")) or (found and found.encoding) if found else None
    return codec or "cp1252"
