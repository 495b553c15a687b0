"""The limits of this database, as its settings have them."""

from __future__ import annotations

import json

from agentctl.domain.document_limits import DOCUMENT_SETTINGS, DocumentLimits
from agentctl.store import Store


def read_limits(store: Store) -> DocumentLimits:
    """The limits; what the settings do not hold is as usual."""
    stored = store.settings.get(DOCUMENT_SETTINGS)
    return DocumentLimits(**json.loads(stored)) if stored else DocumentLimits()
