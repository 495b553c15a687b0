"""What is wrong with the config of an `http` tool, each fault with the keys that lead to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from agentctl.domain.headers import header_faults, is_reference
from agentctl.net.address import find_origin
from agentctl.tools.checks import Fault
from agentctl.tools.declared import read_arguments
from agentctl.tools.http.config import HttpConfig
from agentctl.tools.http.extract import find_syntax_fault
from agentctl.tools.http.template import names_in, texts_in, whole_name, without_arguments
from agentctl.tools.reach import host_faults, port_faults
from agentctl.tools.shapes import Entry

_URL = re.compile(
    r"(?P<start>https?://(?P<host>[^/?#\\]*))(?P<path>[^?#]*)(?P<query>\?[^#]*)?", re.IGNORECASE
)
# Parameters of an address that are only ever used for secrets.
_SECRET_PARAMETER = re.compile(
    r"(?i)(x-)?api[_-]?key|appid|(access|auth|api)[_-]?token|(client[_-]?)?secret|password"
)


def config_faults(config: HttpConfig) -> list[Fault]:
    """Every fault of a config whose keys are right each by itself."""
    declared, faults = read_arguments(config.arguments)
    entries = {entry.name: entry for entry in declared.entries}
    faults += _url_faults(config.url, entries)
    faults += [Fault(("headers", found.name), found.message) for found in header_faults(config.headers)]
    faults += _body_faults(config)
    for root, template in (("query", config.query), ("form", config.form), ("json", config.json)):
        faults += _template_faults(root, template, entries)
    faults += _query_faults(config)
    if not any(fault.field == "arguments" for fault in faults):
        faults += _use_faults(config, entries)
    faults += host_faults("allow_hosts", config.allow_hosts)
    faults += port_faults("allow_ports", config.allow_ports)
    if config.result is not None and (message := find_syntax_fault(config.result)):
        faults.append(Fault("result", message))
    return faults


def _url_faults(url: str, entries: dict[str, Entry]) -> Iterator[Fault]:
    found = _URL.fullmatch(url)
    if not url:
        yield Fault("url", "is required")
        return
    if "#" in url:
        yield Fault("url", "must hold no #: what follows it is never sent")
        return
    if found is None or not url.isprintable() or {" ", "\\"} & set(url):
        yield Fault("url", "must be http://HOST/PATH or https://HOST/PATH, on one line")
        return
    if "@" in found["host"]:
        yield Fault("url", "must not hold a user or password: use headers")
    elif "{" in found["host"]:
        yield Fault("url", "the host is fixed: arguments may stand in the path and the query only")
    elif find_origin(found["start"]) is None:
        yield Fault("url", "has no host, or a port that is none")
    if set("{}") & set(without_arguments(url)):
        yield Fault("url", "a brace belongs around the name of an argument: {name}")
    if {".", ".."} & {unquote(segment) for segment in found["path"].split("/")}:
        yield Fault("url", "must hold no `.` or `..` as a part of its path")
    for pair in (found["query"] or "").lstrip("?").split("&"):
        name, _, text = pair.partition("=")
        if _SECRET_PARAMETER.fullmatch(name) and not names_in(text):
            yield Fault("url", f"{name} must not stand here: write query: {{{name}: {{env: NAME}}}}")
    for name in names_in(url):
        yield from _place_faults(("url",), name, entries)
    for name in names_in(found["path"]):
        if name in entries and entries[name].shape.kind == "array":
            yield Fault("url", f"`{name}` is a list, which cannot stand in a path")


def _template_faults(root: str, template: Any, entries: dict[str, Entry]) -> Iterator[Fault]:
    for path, text in texts_in(template, (root,)):
        whole = whole_name(text)
        for name in names_in(text):
            yield from _place_faults(path, name, entries, may_miss=whole == name and len(path) > 1)


def _place_faults(
    path: tuple[str | int, ...], name: str, entries: dict[str, Entry], *, may_miss: bool = False
) -> Iterator[Fault]:
    """What is wrong with an argument at its place; only one that is all of a value may be left out."""
    entry = entries.get(name)
    if entry is None:
        yield Fault(path, f"there is no argument `{name}`; the text itself is written {{{{{name}}}}}")
    elif not (entry.required or entry.default is not None or may_miss):
        yield Fault(path, f"`{name}` may be left out, so it needs a default to stand here")


def _body_faults(config: HttpConfig) -> Iterator[Fault]:
    if config.json is not None and config.form:
        yield Fault("form", "give json or form, not both")
    if config.is_reading:
        for name, body in (("json", config.json), ("form", config.form)):
            if body:
                yield Fault(name, f"a {config.method} request has no body")
        return
    header = config.idempotency_header
    if header is not None and any(fault.at_name for fault in header_faults({header: "x"})):
        yield Fault("idempotency_header", "is no name of a header that can be set")


def _query_faults(config: HttpConfig) -> Iterator[Fault]:
    for root, pairs in (("query", config.query), ("form", config.form)):
        for name, given in pairs.items():
            if isinstance(given, dict) and not is_reference(given):
                yield Fault((root, name), "must be text, a list, {env: NAME} or {key: NAME}")
            secret = isinstance(given, str) and not names_in(given) and _SECRET_PARAMETER.fullmatch(name)
            if secret:
                yield Fault((root, name), "must not stand here as text: write {env: NAME} or {key: NAME}")


def _use_faults(config: HttpConfig, entries: dict[str, Entry]) -> Iterator[Fault]:
    templates = (config.url, config.query, config.form, config.json)
    used = {name for template in templates for _, text in texts_in(template, ()) for name in names_in(text)}
    for name, text in config.headers.items():
        if isinstance(text, str) and set(names_in(text)) & set(entries):
            yield Fault(("headers", name), "headers take no arguments")
    for name in entries.keys() - used:
        yield Fault(("arguments", name), "stands nowhere in url, query, json or form")
