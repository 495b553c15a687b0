"""Makes the links of a page absolute, and leaves out those that lead nowhere a reader could go."""

from __future__ import annotations

from urllib.parse import quote, urljoin

LONGEST = 1_000
# As they are in a URL, but not round brackets, which would end the link.
_PLAIN = "%/:=&?~#+!$,;'@*[]"


class Links:
    """Links relative to `base`."""

    def __init__(self, base: str) -> None:
        self._base = base

    def find(self, target: str | None) -> str | None:
        """Where `target` leads; None for a place on the page itself, a script, or what is no URL."""
        target = (target or "").strip()
        if not target or target.startswith("#") or len(target) > LONGEST:
            return None
        try:
            url = urljoin(self._base, target)
        except ValueError:
            return None
        if not url.lower().startswith(("http://", "https://", "mailto:", "tel:")):
            return None
        return quote(url, safe=_PLAIN, errors="replace") if len(url) <= 2 * LONGEST else None
