"""llama.cpp's own server with a model: `python -m tests.providers.real_server FILE KEY`, on a free port.

Prints its address once it answers, and ends when its stdin does.
"""

from __future__ import annotations

import os
import sys

CONTEXT = 4096


def main(path: str, key: str) -> None:
    # Threads that spin while they wait starve each other on busy cores; OpenMP reads this when it is loaded.
    os.putenv("GOMP_SPINCOUNT", "1000")
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [key]
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.warmup = False
    parameters.verbosity = -1
    parameters.ui = False
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
