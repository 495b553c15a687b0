"""What the arguments of a call become, and why a call of a tool is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.value import value
from agentctl.tools.base import ToolType
from agentctl.tools.result import name_error

SECRET = "the arguments hold a secret key of this machine, so this call was refused"


@value
class CallCheck:
    """What `run` gets of a call's arguments, and one line for each fault of them (then not used).

    `secret`: the arguments are right, and hold a secret that is known, which is the only fault then.
    """

    values: Any
    faults: tuple[str, ...] = ()
    secret: bool = False


def check_call(tool: ToolType, arguments: Mapping[str, Any]) -> CallCheck:
    """Check the arguments of a call, as the tool does and for secrets. A fault may repeat one of them."""
    try:
        values, faults = tool.check(arguments)
    except (Exception, SystemExit) as error:
        return CallCheck(None, (f"the tool could not check them ({name_error(error)})",))
    if not faults and tool.services.find_blanks().holds(arguments):
        return CallCheck(values, (SECRET,), secret=True)
    return CallCheck(values, tuple(faults))
