"""Runs that can be stopped and resumed, approvals, grants, and what was decided by whom."""

from __future__ import annotations

DURABLE_RUNS = ""
