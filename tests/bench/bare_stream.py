"""The baseline of a streamed chat: the same HTTP client, no more code than the stream needs."""

from __future__ import annotations

import asyncio
import json
import sys

import httpx2


async def main(url: str) -> None:
    body = {"model": "bench", "stream": True, "messages": [{"role": "user", "content": "hello there"}]}
    async with (
        httpx2.AsyncClient(timeout=30) as client,
        client.stream("POST", f"{url}/chat/completions", json=body) as response,
    ):
        async for line in response.aiter_lines():
            if not line.startswith("data: ") or line == "data: [DONE]":
                continue
            for choice in json.loads(line[6:])["choices"]:
                text = choice["delta"].get("content")
                if text:
                    sys.stdout.write(text)
                    sys.stdout.flush()
    print()


asyncio.run(main(sys.argv[1]))
