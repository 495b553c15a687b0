"""Counts the tokens of the samples with the embedded models' own tokenizers.

`python -m tests.domain.tokenizers` writes counts.json anew and prints how far the estimates are off.
"""

from __future__ import annotations

import json
import os
import secrets
import urllib.request
from collections.abc import Iterable
from pathlib import Path

from agentctl.config import load_config
from agentctl.domain.tokens import estimate_tokens
from agentctl.providers.local.models import CATALOGUE, find

FOLDER = Path(__file__).parent / "token_samples"
COUNTS = FOLDER / "counts.json"
MODELS = ("qwen2.5-coder-0.5b", "smollm2-135m")


def read_samples() -> dict[str, str]:
    """The texts by the name of their kind."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt"))}


def find_file(model: str) -> Path | None:
    """The file of an embedded model, if it is on this machine."""
    return find(CATALOGUE[model], Path(load_config(os.environ, {}).cache_dir))


def count(model: Path, texts: Iterable[str]) -> list[int]:
    """How many tokens each text has for the model in this file."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0
    parameters.api_keys = [secrets.token_urlsafe(16)]
    parameters.n_ctx, parameters.n_parallel = 256, 1
    parameters.warmup, parameters.verbosity, parameters.cache_ram_mib = False, -1, 0
    server = xllamacpp.Server(parameters)
    headers = {"authorization": f"Bearer {parameters.api_keys[0]}", "content-type": "application/json"}
    counts = []
    for text in texts:
        body = json.dumps({"content": text}).encode()
        request = urllib.request.Request(f"{server.listening_address}/tokenize", body, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            counts.append(len(json.load(answer)["tokens"]))
    del server
    return counts


def main() -> None:
    """Measure and report."""
    samples = read_samples()
    counts: dict[str, dict[str, int]] = {}
    for model in MODELS:
        path = find_file(model)
        if path is None:
            raise SystemExit(f"fetch it first: agentctl models pull {model}")
        counts[model] = dict(zip(samples, count(path, samples.values()), strict=True))
    COUNTS.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    for name, text in samples.items():
        estimate = estimate_tokens(text)
        offs = "  ".join(f"{model} {estimate / counts[model][name] - 1:+.0%}" for model in MODELS)
        print(f"{name:12} {estimate:5}  {offs}")


if __name__ == "__main__":
    main()
