"""The entry point of the `agentctl` command and of `python -m agentctl`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; the exit code is the process's."""
    from agentctl.cli.boundary import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
