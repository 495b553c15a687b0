"""The one HTTP client: time limits, proxies, unix sockets, no redirects, and failures in our own words.

The environment's HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE and SSL_CERT_DIR are honoured,
except over a unix socket.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from agentctl import __version__
from agentctl.errors import ConfigError
from agentctl.net.address import hide_secrets
from agentctl.net.failure import NetworkFailure, translate

if TYPE_CHECKING:
    import httpx2

CONNECT_TIMEOUT = 10.0
IDLE_TIMEOUT = 120.0
USER_AGENT = f"agentctl/{__version__}"


class Answer:
    """The status and headers of a response whose body is still to come."""

    def __init__(self, response: httpx2.Response, client: HttpClient, url: str) -> None:
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self.url = url
        self._response = response
        self._client = client

    @property
    def content_type(self) -> str:
        """The media type in small letters, without parameters; "" where none was sent."""
        return str(self.headers.get("content-type", "")).partition(";")[0].strip().lower()

    @property
    def location(self) -> str | None:
        """Where a redirect points to, without secrets."""
        target = self.headers.get("location")
        try:
            return hide_secrets(str(self._response.url.join(target))) if target else None
        except ValueError:
            return "an address that is none"

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """The body as it arrives. Raises NetworkFailure."""
        try:
            async with aclosing(self._response.aiter_bytes()) as chunks:
                async for chunk in chunks:
                    yield chunk
        except Exception as error:
            self._client.raise_translated(error, self.url)
            raise

    async def read(self, limit: int) -> bytes:
        """The first `limit` bytes of the body, or what came of them before the connection broke."""
        body = bytearray()
        try:
            async for chunk in self.chunks():
                body += chunk
                if len(body) >= limit:
                    break
        except NetworkFailure:
            pass
        return bytes(body[:limit])


class HttpClient:
    """Sends requests to one origin. `uds` is the unix socket to use instead of the host in the URL.

    `idle_timeout` is the longest silence between two reads, in seconds; None waits for ever. Raises
    ConfigError where proxies or certificates named by the environment cannot be used.
    """

    def __init__(
        self,
        url: str,
        *,
        connect_timeout: float = CONNECT_TIMEOUT,
        idle_timeout: float | None = IDLE_TIMEOUT,
        uds: Path | None = None,
    ) -> None:
        self.connect_timeout = connect_timeout
        self.idle_timeout = idle_timeout
        self.uds = uds
        try:
            self._client = self._open(secure=uds is None and not url.lower().startswith("http://"))
        except (ImportError, OSError, ValueError) as error:
            raise _explain_environment(error) from error

    @asynccontextmanager
    async def post(self, url: str, *, headers: Mapping[str, str], content: bytes) -> AsyncIterator[Answer]:
        """Send `content`; leaving the block ends the request. Redirects are answers.

        Raises NetworkFailure.
        """
        shown = str(self.uds) if self.uds else hide_secrets(url)
        try:
            request = self._client.build_request("POST", url, headers=dict(headers), content=content)
            response = await self._client.send(request, stream=True)
        except Exception as error:
            self.raise_translated(error, shown)
            raise
        try:
            yield Answer(response, self, shown)
        finally:
            await response.aclose()

    async def touch(self, url: str) -> int:
        """The status of a GET without key and body, for a look at whether anybody answers.

        Raises NetworkFailure.
        """
        try:
            async with self._client.stream("GET", url) as response:
                return response.status_code
        except Exception as error:
            self.raise_translated(error, hide_secrets(url))
            raise

    async def close(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    def raise_translated(self, error: Exception, url: str) -> None:
        """Raise the NetworkFailure behind an exception of the HTTP client; do nothing for any other."""
        import httpx2

        if isinstance(error, (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError)):
            raise translate(
                error, url, connect_timeout=self.connect_timeout, idle_timeout=self.idle_timeout
            ) from error

    def _open(self, *, secure: bool) -> httpx2.AsyncClient:
        import ssl

        import httpx2

        # Loading the system's certificates takes longer than a whole request to this machine; a context
        # that trusts nobody stands in where no TLS will be spoken.
        verify = True if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        return httpx2.AsyncClient(
            verify=verify,
            timeout=httpx2.Timeout(self.idle_timeout, connect=self.connect_timeout, pool=None),
            transport=httpx2.AsyncHTTPTransport(uds=str(self.uds), verify=verify) if self.uds else None,
            headers={"user-agent": USER_AGENT, "accept-encoding": "identity"},
            follow_redirects=False,
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=64),
        )


def _explain_environment(error: Exception) -> ConfigError:
    """Why the environment's proxies or certificates cannot be used, without words that may be a password."""
    if isinstance(error, ImportError):
        return ConfigError("a SOCKS proxy needs the package socksio", hint="Install it, or unset ALL_PROXY.")
    if isinstance(error, OSError):
        reason = error.strerror or type(error).__name__
        return ConfigError(f"the certificates in SSL_CERT_FILE or SSL_CERT_DIR cannot be used: {reason}")
    return ConfigError(
        "the proxy in HTTP_PROXY, HTTPS_PROXY or ALL_PROXY is no URL that can be used",
        hint="Write http://HOST:PORT.",
    )
