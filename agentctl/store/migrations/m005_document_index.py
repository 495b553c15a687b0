"""What the search for documents looks into."""

from __future__ import annotations

DOCUMENT_INDEX = ""
