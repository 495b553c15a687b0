"""The URL that requests go to, however people write `base_url`."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from agentctl.errors import ConfigError
from agentctl.net.address import hide_secrets

_VERSION = r"/v\d\w*\Z"


def find_endpoint(base_url: str, path: str, *, versioned: bool = False) -> str:
    """The full URL of the endpoint `path`; a host alone gets `/v1`, any other folder is taken at its word.

    `versioned` gives `/v1` to every folder that names no version, for protocols whose addresses leave it out.
    `https://host`, `https://host/v1/` and `https://host/v1/chat/completions` are the same for the path
    `/chat/completions`; a query stays.
    Raises ConfigError for what is no http or https URL, and for one that holds a password, which would be
    sent in place of the key.
    """
    try:
        parts = urlsplit(base_url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        usable = usable and "@" not in parts.netloc
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(
            f'base_url "{hide_secrets(base_url)}" is no URL that can be asked',
            hint="Write http://HOST:PORT/v1 or https://HOST/v1.",
        )
    written = re.sub("/{2,}", "/", parts.path).rstrip("/")
    folder = written.removesuffix(path)
    if not folder or (versioned and folder == written and not re.search(_VERSION, folder)):
        folder += "/v1"
    return urlunsplit((parts.scheme, parts.netloc, folder + path, parts.query, ""))
