"""Thirteen questions in other scripts than plain ASCII: each finds the one document that answers it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agentctl.domain.document import Document
from tests.documents.search.conftest import Find

DOCUMENTS = {
    "zh-weather": "北京今天天气晴朗，适合出门散步。",
    "zh-database": "我们把数据库迁移到了新的服务器上，备份保存在上海。",
    "zh-cat": "她养了一只黑猫，名字叫小明。",
    "ja-library": "昨日は図書館で日本語の本を三冊借りました。",
    "ja-coffee": "駅前のコーヒーショップでサンドイッチを食べた。",
    "ja-tokyo": "弟は東京大学で物理学を勉強している。",
    "ko-dog": "우리 강아지는 산책을 좋아합니다.",
    "ko-meeting": "회의는 내일 오후 세 시에 서울에서 열립니다.",
    "fr-cafe": "Le café près de l'église est fermé à Noël.",
    "de-street": "Die Straße nach Köln führt über eine schöne Brücke.",
    "pl-city": "Pociąg do Łodzi odjeżdża o świcie.",
    "wide": "型番はＡＢＣ－１２３です。ﾊﾞｯﾃﾘｰを交換した。",
    "mixed": "Python入門：まずvenvを作り、pip installを実行します。",
}
PROBES = [
    ("天气", "zh-weather"),
    ("数据库备份在哪里", "zh-database"),
    ("猫", "zh-cat"),
    ("図書館の本", "ja-library"),
    ("コーヒー", "ja-coffee"),
    ("東京大学", "ja-tokyo"),
    ("강아지 산책", "ko-dog"),
    ("서울 회의", "ko-meeting"),
    ("cafe eglise noel", "fr-cafe"),
    ("STRASSE brucke", "de-street"),
    ("lodzi", "pl-city"),
    ("abc バッテリー", "wide"),
    ("Ｐｙｔｈｏｎ 入門", "mixed"),
]


@pytest.mark.parametrize(("query", "title"), PROBES)
def test_a_question_in_another_script_finds_its_document(
    make: Callable[..., Document], find: Find, query: str, title: str
) -> None:
    for name, content in DOCUMENTS.items():
        make(content, title=name)
    hit = find(query)[0]
    assert hit.document.title == title
    assert hit.marks
