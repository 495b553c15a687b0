"""The tool type `hash`."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.base import ToolType

Algorithm = Literal[
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "blake2b",
    "blake2s",
]


@value
class HashArguments:
    """What to hash, and how."""

    text: str = field(metadata={"description": "The text; its UTF-8 bytes count.", "max_length": 1_000_000})
    algorithm: Algorithm = field(default="sha256", metadata={"description": "The hash function."})
    encoding: Literal["hex", "base64"] = field(
        default="hex", metadata={"description": "How the digest is written."}
    )


class Hash(ToolType):
    """Digests of text. Linear in at most a million characters, a few milliseconds: it runs in place."""

    type = "hash"
    description = (
        "Computes a checksum (digest) of a text: MD5, SHA-1, SHA-2, SHA-3 or BLAKE2. "
        'Example: {"text": "hello", "algorithm": "sha256"}.'
    )
    Arguments = HashArguments

    async def run(self, arguments: HashArguments, context: ToolContext) -> dict[str, Any]:
        """`algorithm`, `digest` in the encoding asked for, and how many `bytes` were hashed."""
        # OpenSSL comes with it, which nobody but a caller should wait for.
        import hashlib

        data = arguments.text.encode()
        name = arguments.algorithm.replace("-", "_")
        # A system that forbids MD5 for security allows it for checksums.
        digest = hashlib.new(name, data, usedforsecurity=False).digest()
        return {
            "algorithm": arguments.algorithm,
            "digest": digest.hex() if arguments.encoding == "hex" else _base64(digest),
            "bytes": len(data),
        }


def _base64(digest: bytes) -> str:
    from binascii import b2a_base64

    return b2a_base64(digest, newline=False).decode()
