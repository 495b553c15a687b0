"""Versions, tiers and readers of documents."""

from __future__ import annotations

DOCUMENTS = ""
