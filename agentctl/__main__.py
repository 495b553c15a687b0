"""The entry point of the `agentctl` command and of `python -m agentctl`."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line; the exit code is the process's."""
    # Imports make many objects and no garbage; looking for some every 700 objects costs 5% of a start.
    gc.set_threshold(50_000, 20, 20)
    try:
        from agentctl.cli.boundary import run
    except KeyboardInterrupt:
        sys.exit(130)
    code = run(sys.argv[1:])
    # Before it ends, the interpreter looks for garbage in all there is, several times over; the process takes
    # everything with it anyway. What has to be closed was closed by `run`.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()
