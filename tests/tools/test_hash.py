"""Digests are those of published test vectors."""

from __future__ import annotations

import base64
from typing import Any, get_args

import pytest

from agentctl.tools.hash import Algorithm

# "abc": RFC 1321 (MD5), FIPS 180-4 and FIPS 202 examples, RFC 7693 (BLAKE2).
VECTORS = {
    "md5": "900150983cd24fb0d6963f7d28e17f72",
    "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
    "sha224": "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
    "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "sha3-256": "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
    "blake2s": "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
}


@pytest.mark.parametrize(("algorithm", "digest"), VECTORS.items())
def test_a_digest_is_that_of_its_standard(call: Any, algorithm: str, digest: str) -> None:
    assert call("hash", text="abc", algorithm=algorithm).data == {
        "algorithm": algorithm,
        "digest": digest,
        "bytes": 3,
    }


def test_sha256_is_the_default_and_the_empty_text_has_a_digest(call: Any) -> None:
    digest = call("hash", text="").data["digest"]
    assert digest == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize("algorithm", get_args(Algorithm))
def test_hex_and_base64_are_the_same_bytes(call: Any, algorithm: str) -> None:
    written = call("hash", text="你好 👋", algorithm=algorithm).data
    coded = call("hash", text="你好 👋", algorithm=algorithm, encoding="base64").data
    assert base64.b64decode(coded["digest"]).hex() == written["digest"]
    assert written["bytes"] == coded["bytes"] == 11


@pytest.mark.parametrize("arguments", [{"algorithm": "crc32"}, {"encoding": "binary"}, {"text": "\ud800"}])
def test_what_cannot_be_hashed_is_said(call: Any, arguments: dict[str, str]) -> None:
    assert call("hash", **{"text": "x", **arguments}).error.startswith("wrong arguments: ")
