"""The URL that requests go to, however people write `base_url`."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from agentctl.errors import ConfigError
from agentctl.net.address import hide_secrets


def find_endpoint(base_url: str, path: str) -> str:
    """The full URL of the endpoint `path`; a host alone gets `/v1`, any other folder is taken at its word.

    `https://host`, `https://host/v1/` and `https://host/v1/chat/completions` are the same for the path
    `/chat/completions`; a query stays.
    Raises ConfigError for what is no http or https URL.
    """
    try:
        parts = urlsplit(base_url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(
            f'base_url "{hide_secrets(base_url)}" is no URL that can be asked',
            hint="Write http://HOST:PORT/v1 or https://HOST/v1.",
        )
    folder = re.sub("/{2,}", "/", parts.path).rstrip("/").removesuffix(path)
    return urlunsplit((parts.scheme, parts.netloc, (folder or "/v1") + path, parts.query, ""))
