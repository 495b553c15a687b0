"""What the environment and the global flags say; the only place that reads environment variables."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, overload

from agentctl.errors import UsageError

# Set in the environment of every program that a tool starts.
INSIDE_TOOL = "AGENTCTL_INSIDE_TOOL"


class Config(NamedTuple):
    """Where things are and how to behave. `find_env` looks one variable up, for keys that YAML names.

    `inside_tool` says that a tool's program started this process: nobody is there to answer for it.
    Paths are text, because pathlib alone costs a twelfth of `import click`.
    """

    db: str
    home: str
    cache_dir: str
    run_dir: str
    cwd: str
    user: str
    model: str | None
    editor: str
    pager: str
    locale: str
    time_zone: str
    no_input: bool
    inside_tool: bool
    plain: bool
    quiet: bool
    debug: bool
    log_file: str | None
    color: bool
    ci: bool
    local_idle: float
    connect_timeout: float
    stream_timeout: float | None
    attempts: int
    find_env: Callable[[str], str | None]


def load_config(environ: Mapping[str, str], flags: Mapping[str, Any]) -> Config:
    """The configuration for one command; a flag beats its variable.

    Raises UsageError for a value that makes no sense.
    """
    home = _home(environ)
    cache = environ.get("AGENTCTL_CACHE") or os.path.join(
        _xdg(environ, "XDG_CACHE_HOME", ".cache"), "agentctl"
    )
    db = flags.get("db") or environ.get("AGENTCTL_DB") or os.path.join(home, "agentctl.db")
    return Config(
        db=os.path.expanduser(db),
        home=home,
        cache_dir=os.path.expanduser(cache),
        run_dir=_run_dir(environ),
        cwd=_working_folder(),
        user=_user(environ, flags.get("user")),
        model=environ.get("AGENTCTL_MODEL") or None,
        editor=environ.get("VISUAL") or environ.get("EDITOR") or "vi",
        pager=environ.get("PAGER", "less"),
        locale=_locale(environ),
        time_zone=_time_zone(environ),
        no_input=bool(flags.get("no_input")) or bool(environ.get(INSIDE_TOOL)),
        inside_tool=bool(environ.get(INSIDE_TOOL)),
        plain=bool(flags.get("plain")) or environ.get("TERM") == "dumb",
        quiet=bool(flags.get("quiet")),
        debug=bool(flags.get("debug")),
        log_file=flags.get("log_file"),
        color=not environ.get("NO_COLOR") and environ.get("TERM") != "dumb" and not flags.get("plain"),
        ci=bool(environ.get("CI")),
        local_idle=_number(environ, "AGENTCTL_LOCAL_IDLE", 60.0),
        connect_timeout=_number(environ, "AGENTCTL_CONNECT_TIMEOUT", 10.0),
        stream_timeout=_number(environ, "AGENTCTL_STREAM_TIMEOUT", None),
        attempts=max(1, int(_number(environ, "AGENTCTL_ATTEMPTS", 3.0))),
        find_env=environ.get,
    )


def _working_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise UsageError("the current folder is gone", hint="Change to one that exists.") from None


def _home(environ: Mapping[str, str]) -> str:
    named = environ.get("AGENTCTL_HOME")
    if named:
        return os.path.expanduser(named)
    return os.path.join(_xdg(environ, "XDG_DATA_HOME", ".local/share"), "agentctl")


def _xdg(environ: Mapping[str, str], variable: str, fallback: str) -> str:
    named = environ.get(variable)
    # The XDG specification says that relative paths are to be ignored.
    if named and os.path.isabs(named):
        return named
    return os.path.join(environ.get("HOME") or os.path.expanduser("~"), fallback)


def _run_dir(environ: Mapping[str, str]) -> str:
    """A folder for sockets: short, because a socket's path may have about 100 bytes."""
    named = environ.get("XDG_RUNTIME_DIR")
    if named and os.path.isdir(named) and os.access(named, os.W_OK):
        return os.path.join(named, "agentctl")
    user = os.getuid() if hasattr(os, "getuid") else 0
    return os.path.join(environ.get("TMPDIR") or "/tmp", f"agentctl-{user}")


def _user(environ: Mapping[str, str], flag: str | None) -> str:
    name = flag or environ.get("AGENTCTL_USER") or _login_name(environ)
    if not name.strip() or len(name) > 100 or not name.isprintable():
        raise UsageError(f"{name!r} is no user name", hint="Give 1 to 100 printable characters with --user.")
    return name


def _login_name(environ: Mapping[str, str]) -> str:
    for variable in ("LOGNAME", "USER", "USERNAME"):
        if environ.get(variable):
            return environ[variable]
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid-{os.getuid()}"


def _locale(environ: Mapping[str, str]) -> str:
    named = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or "C"
    return named.partition(".")[0]


def _time_zone(environ: Mapping[str, str]) -> str:
    """The IANA name of the local time zone; UTC where nothing names one."""
    named = environ.get("TZ", "").lstrip(":")
    if named and not named.startswith("/"):
        return named
    _, found, zone = os.path.realpath("/etc/localtime").partition("/zoneinfo/")
    return zone.removeprefix("posix/") if found else "UTC"


@overload
def _number(environ: Mapping[str, str], variable: str, default: float) -> float: ...
@overload
def _number(environ: Mapping[str, str], variable: str, default: None) -> float | None: ...
def _number(environ: Mapping[str, str], variable: str, default: float | None) -> float | None:
    text = environ.get(variable)
    if not text:
        return default
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise UsageError(
            f"{variable}={text} is no number from 0 up", hint="Write one such as 30, or unset it."
        )
    return number
