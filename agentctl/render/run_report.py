"""A run as people read it: what was asked, what was done step by step, how it ended, what to type next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agentctl.domain.usage import format_usd
from agentctl.render.controls import show_controls, strip_controls

Shown = Mapping[str, Any]
LINE_LENGTH = 160
# What is said of an answer that is whole goes without saying.
WHOLE = ("stop", "tool_calls", None)


def run_report(run: Shown) -> str:
    """The report on a run as `RunViews.describe` gives it; text of models and tools shows its controls."""
    blocks = [_head(run), *(_step(number, step) for number, step in enumerate(run["steps"], 1))]
    waiting = [_approval(approval) for approval in run["approvals"] if approval["status"] == "pending"]
    if waiting:
        blocks.append(["waits for approval:", *waiting])
    if run["error"]:
        hint = f" {run['error'].get('hint') or ''}".rstrip()
        blocks.append([f"error: {show_controls(run['error']['message'])}.{hint}"])
    if run["next"]:
        blocks.append(["next:", *(f"  {line}" for line in run["next"])])
    return "\n\n".join("\n".join(block) for block in blocks)


def _head(run: Shown) -> list[str]:
    ended = "" if run["exit_code"] is None else f" (exit {run['exit_code']})"
    process = run["process"]
    works = run["status"] == "running" and process
    usage = run["usage"]
    cost = "" if run["cost_usd"] is None else f", {format_usd(run['cost_usd'])} USD"
    fields = {
        "prompt": _short(run["prompt"] or ""),
        "agent": f"{run['agent']} on {run['model']}",
        "session": run["session_id"],
        "folder": show_controls(run["cwd"]),
        "started": run["created_at"],
        "took": "" if run["duration_ms"] is None else _duration(run["duration_ms"]),
        "process": f"{process['pid']} on {process['host']}" if works else "",
        "used": f"{usage['input']} tokens in, {usage['output']} out{cost}",
    }
    lines = [f"  {name.ljust(8)} {value}" for name, value in fields.items() if value]
    return [f"run {run['id']}: {run['status']}{ended}", *lines]


def _step(number: int, step: Shown) -> list[str]:
    status = "" if step["status"] == "complete" else f" ({step['status']})"
    finish = "" if step["finish"] in WHOLE or status else f" ({step['finish']})"
    text = strip_controls(step["text"].strip("\n"))
    lines = [f"step {number}{status}{finish}:", *([text] if text else [])]
    for call in step["calls"]:
        lines += _call(call)
    return lines


def _call(call: Shown) -> Iterator[str]:
    sent = call["raw"] if "raw" in call else json.dumps(call["arguments"], ensure_ascii=False)
    yield f"· {show_controls(call['tool'])} {_short(sent or '')}"
    decision = call["decision"] or {}
    by = decision.get("rule") or decision.get("by")
    how = f" by {show_controls(str(by))}" if by else ""
    decided = {"allow": f"allowed{how}, ", "deny": f"denied{how}, "}.get(decision.get("decision", ""), "")
    took = "" if call["duration_ms"] is None else f" in {_duration(call['duration_ms'])}"
    yield f"  {decided}{call['status']}{took}{_outcome(call)}"


def _outcome(call: Shown) -> str:
    if call["success"] is None:
        return ""
    value = call["data"] if call["success"] else call["error"]
    return f": {_short(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))}"


def _approval(approval: Shown) -> str:
    action = f":{approval['action']}" if approval["action"] else ""
    asks = "did it run?" if approval["kind"] == "unknown" else "may it run?"
    return f"  {approval['id']}  {approval['tool']}{action}: {asks} until {approval['expires_at']}"


def _duration(milliseconds: int) -> str:
    return f"{milliseconds} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def _short(text: str) -> str:
    line = show_controls(" ".join(text.split()))
    return line if len(line) <= LINE_LENGTH else line[: LINE_LENGTH - 1] + "…"
