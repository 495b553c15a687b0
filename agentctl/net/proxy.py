"""Which proxy of the environment a request goes through, for messages about one that fails."""

from __future__ import annotations

from urllib.parse import urlsplit

from agentctl.net.address import hide_secrets


def find_proxy(url: str) -> str | None:
    """The proxy between here and `url`, without its password; None where the request goes straight there."""
    # Only a request that failed pays for this import.
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy:
        return None
    return hide_secrets(proxy if "://" in proxy else f"http://{proxy}")
