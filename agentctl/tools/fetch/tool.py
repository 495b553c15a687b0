"""The tool type `fetch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentctl.domain.tool import ToolContext
from agentctl.tools.base import Fault, ToolError, ToolType
from agentctl.tools.fetch.settings import FetchArguments, FetchConfig

if TYPE_CHECKING:
    from agentctl.net.guard.client import GuardedAnswer, GuardedClient
    from agentctl.net.guard.policy import AddressPolicy

SECONDS = 15.0
MEGABYTES = 256
# Time is linear in the size of a page; up to this one it is a few hundredths of a second at the very worst,
# so it runs here.
SMALL = 5_000
EXCERPT = 300

_ACCEPT = {
    "auto": "text/html, application/json;q=0.9, text/*;q=0.8, */*;q=0.5",
    "html": "text/html, application/xhtml+xml, */*;q=0.5",
    "json": "application/json, */*;q=0.5",
    "markdown": "text/markdown, text/html;q=0.9, text/*;q=0.8, */*;q=0.5",
    "text": "text/plain, text/html;q=0.9, */*;q=0.5",
}
_GIVES = {
    "auto": "a page as Markdown, JSON formatted, other text as it is",
    "html": "the HTML of a page without scripts and styles",
    "json": "JSON, formatted",
    "markdown": "the main content of a page as Markdown, with its links",
    "text": "the main content of a page as plain text",
}


class Fetch(ToolType):
    """Fetches from the web, through the address guard."""

    type = "fetch"
    description = (
        "Fetches a URL and returns its text; a long one in parts: call again with start = next_start. "
        'Example: {"url": "https://example.com/page"}.'
    )
    Arguments = FetchArguments
    Config = FetchConfig
    risk = "network"
    reads_untrusted = True
    config: FetchConfig

    def describe(self) -> str:
        """As the type, and what comes in this mode."""
        return f"{self.description} Gives {_GIVES[self.config.mode]}."

    @classmethod
    def check_config(cls, config: FetchConfig) -> list[Fault]:
        """Hosts and ports that are none."""
        if not config.allow_hosts and not config.deny_hosts and not config.allow_ports:
            return []
        from agentctl.tools.reach import host_faults, port_faults

        return [
            *host_faults("allow_hosts", config.allow_hosts),
            *host_faults("deny_hosts", config.deny_hosts),
            *port_faults("allow_ports", config.allow_ports),
        ]

    def find_host(self, arguments: FetchArguments) -> str | None:
        """The host of the URL, unless the config names all that may be asked."""
        if self.config.allow_hosts and "*" not in self.config.allow_hosts:
            return None
        from agentctl.net.failure import NetworkFailure
        from agentctl.net.guard.target import read_target

        try:
            return read_target(arguments.url).host
        except NetworkFailure:
            return None

    async def run(self, arguments: FetchArguments, context: ToolContext) -> dict[str, Any]:
        """`url` (after redirects), `status`, `content_type`, `title`, `text`, `truncated` (`next_start`)."""
        answer = await self._request(arguments.url, confined=context.confined)
        if answer.status >= 400:
            raise ToolError(await self._explain(answer))
        page = await self._read(answer)
        text: str = page["text"]
        if arguments.start and arguments.start >= len(text):
            raise ToolError(f"the text has {len(text):,} characters; there is nothing at {arguments.start:,}")
        from agentctl.tools.fetch.window import fit

        about = {
            "url": answer.url,
            "status": answer.status,
            "content_type": answer.content_type,
            "title": page.get("title"),
        }
        more = answer.truncated or page.get("truncated", False)
        return fit(about, text, arguments.start, self.config.max_output, more=more)

    def open_client(self, *, confined: bool = False) -> GuardedClient:
        """The client that requests go through; a confined one follows no redirect to another host."""
        from agentctl.net.guard.client import GuardedClient

        return GuardedClient(self._policy(one_host=confined), proxy=self.config.proxy)

    def _policy(self, *, one_host: bool = False) -> AddressPolicy:
        from agentctl.net.guard.policy import AddressPolicy

        config = self.config
        return AddressPolicy(
            allow_hosts=config.allow_hosts,
            deny_hosts=config.deny_hosts,
            allow_private=config.allow_private,
            allow_ports=config.allow_ports,
            max_redirects=config.max_redirects,
            max_bytes=config.max_bytes,
            timeout=config.timeout,
            one_host=one_host,
        )

    async def _request(self, url: str, *, confined: bool) -> GuardedAnswer:
        from agentctl.net.failure import NetworkFailure

        headers = {"accept": _ACCEPT[self.config.mode]}
        if self.config.user_agent:
            headers["user-agent"] = self.config.user_agent
        try:
            return await self.open_client(confined=confined).request("GET", url, headers=headers)
        except NetworkFailure as failure:
            raise ToolError(failure.message) from None

    async def _read(self, answer: GuardedAnswer) -> dict[str, Any]:
        from agentctl.tools.fetch.kinds import find_binary, find_kind

        binary = find_binary(answer.content_type, answer.charset, answer.body)
        if binary:
            raise ToolError(f"{answer.url} is {binary}, which this tool cannot read")
        kind = find_kind(answer.content_type, answer.body)
        source = await _decode(answer, markup=kind != "json")
        form = self._choose_form(kind)
        if form == "json" and answer.truncated and self.config.mode == "json":
            raise ToolError(f"the JSON is larger than max_bytes ({self.config.max_bytes:,})")
        if form is None or not source.strip():
            return {"text": source}
        try:
            return await _convert({"form": form, "source": source, "url": answer.url})
        except ToolError as error:
            if form != "json":
                raise
            if self.config.mode != "json":
                return {"text": source}
            raise ToolError(f"{answer.url} ({answer.content_type or 'no type'}): {error}") from None

    def _choose_form(self, kind: str) -> str | None:
        """What to make of a kind of content; None to leave it as it is."""
        mode = self.config.mode
        if mode == "json":
            return "json"
        if kind == "json" and mode in ("auto", "markdown"):
            return "json"
        if kind != "html":
            return None
        return "markdown" if mode == "auto" else mode

    async def _explain(self, answer: GuardedAnswer) -> str:
        """An error of the server in one line, with the beginning of what it says."""
        from http import HTTPStatus

        from agentctl.tools.fetch.kinds import find_binary, find_kind

        phrase = next((one.phrase for one in HTTPStatus if one == answer.status), "")
        head = f"{answer.url} answered {answer.status} {phrase}".rstrip()
        if find_binary(answer.content_type, answer.charset, answer.body):
            return head
        text = (await _decode(answer, markup=True))[:SMALL]
        if find_kind(answer.content_type, answer.body) == "html":
            text = (await _convert({"form": "text", "source": text, "url": answer.url}))["text"]
        excerpt = " ".join(text[: 10 * EXCERPT].split())[:EXCERPT]
        return f"{head}: {excerpt}" if excerpt else head


async def _decode(answer: GuardedAnswer, *, markup: bool) -> str:
    import asyncio

    from agentctl.tools.fetch.charset import decode

    # A guess takes a while, and other calls are not to wait for it.
    return await asyncio.to_thread(decode, answer.body, answer.charset, markup=markup, cut=answer.truncated)


async def _convert(request: dict[str, Any]) -> dict[str, Any]:
    if len(request["source"]) <= SMALL:
        from agentctl.tools.fetch.page import perform

        return perform(request)
    from agentctl.tools.guard.client import run_guarded

    target = "agentctl.tools.fetch.page:perform"
    result: dict[str, Any] = await run_guarded(target, request, timeout=SECONDS, memory=MEGABYTES)
    return result
