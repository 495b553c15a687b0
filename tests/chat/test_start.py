"""What a run without tools does without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROBE = """
import sys
from agentctl.cli.boundary import run
code = run(sys.argv[1:])
print("loaded:", *(name for name in sys.modules if name.startswith("agentctl.tools")), file=sys.stderr)
sys.exit(code)
"""


def test_an_agent_without_tools_loads_nothing_that_tools_are_made_of(
    environ: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "agents.yaml").write_text("agents: [{slug: default, title_strategy: none}]")
    (tmp_path / "r.yaml").write_text("replies: [{text: hi, repeat: true}]")
    env = {**environ, "PYTHONPATH": str(Path(__file__).parent.parent.parent)}
    subprocess.run([sys.executable, "-m", "agentctl", "apply", "--yes"], cwd=tmp_path, env=env, check=True)
    done = subprocess.run(
        [sys.executable, "-c", PROBE, "chat", "a b", "-m", "script/r.yaml"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "hi\n"), done.stderr
    assert done.stderr.rpartition("loaded:")[2].split() == []
