"""The charset of a page is found by mark, header, the page's word, or a guess."""

from __future__ import annotations

import pytest

from agentctl.tools.fetch.charset import decode

CHINESE = "今天天气怎么样？我们一起去公园散步吧，听说那里的花都开了。"
JAPANESE = "今日はとても良い天気です。公園を散歩しましょう。花が咲いています。"
RUSSIAN = "Сегодня хорошая погода, пойдём гулять в парк. Говорят, там уже цветут цветы."


@pytest.mark.parametrize(
    ("body", "named", "text"),
    [
        ("é".encode("latin-1"), "iso-8859-1", "é"),
        (b"\x80\x93", "iso-8859-1", "€“"),
        ("中".encode("gbk"), "gb2312", "中"),
        ("中".encode("big5"), "big5", "中"),
        ("日".encode("shift_jis"), "shift_jis", "日"),
        ("日".encode("euc-jp"), "euc-jp", "日"),
        ("한".encode("euc-kr"), "ks_c_5601-1987", "한"),
        ("д".encode("koi8-r"), "koi8-r", "д"),
        ("é".encode("utf-16-le"), "utf-16", "é"),
        ("é".encode(), "utf-8", "é"),
        ("é".encode(), None, "é"),
        (b"\xff\xfe" + "é".encode("utf-16-le"), "utf-8", "é"),
        (b"\xef\xbb\xbf" + "é".encode(), "iso-8859-1", "é"),
        (b"\xfe\xff" + "é".encode("utf-16-be"), None, "é"),
        (b"a\xffb", "utf-8", "a\ufffdb"),
        ("é".encode(), "rot13", "é"),
        ("é".encode(), "unicode_escape", "é"),
        ("é".encode(), "no-such-charset", "é"),
        (b"", None, ""),
    ],
)
def test_marks_and_headers_decide(body: bytes, named: str | None, text: str) -> None:
    assert decode(body, named, markup=False) == text


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ('<meta charset="gbk">', "gbk"),
        ("<META CHARSET=gb2312>", "gb2312"),
        ('<meta http-equiv=Content-Type content="text/html; charset=gb18030">', "gb18030"),
        ('<?xml version="1.0" encoding="gbk"?>', "gbk"),
        ('<meta charset="utf-16">', "utf-8"),
    ],
)
def test_the_page_can_say_it(head: str, codec: str) -> None:
    assert decode((head + CHINESE).encode(codec), None, markup=True) == head + CHINESE


def test_the_header_beats_the_page_and_text_says_nothing() -> None:
    body = b"<meta charset=gbk>" + "é".encode()
    assert decode(body, "utf-8", markup=True).endswith("é")
    assert decode(body, None, markup=False).endswith("é")


@pytest.mark.parametrize(
    ("text", "codec"), [(CHINESE, "gb18030"), (JAPANESE, "cp932"), (JAPANESE, "euc_jp"), (RUSSIAN, "cp1251")]
)
def test_what_nobody_says_is_guessed(text: str, codec: str) -> None:
    body = "".join(f"<div class=x><p>{text}</p></div>" for _ in range(20)).encode(codec)
    assert text in decode(body, None, markup=True)


def test_a_character_that_is_cut_in_half_changes_nothing_else() -> None:
    assert decode("日本".encode()[:-1], None, markup=False, cut=True) == "日"
