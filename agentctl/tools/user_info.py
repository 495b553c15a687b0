"""The tool type `user-info`."""

from __future__ import annotations

from typing import Any

from agentctl.domain.tool import ToolContext
from agentctl.tools.base import ToolError, ToolType


class UserInfo(ToolType):
    """Who the model speaks with: what the database knows, and nothing of the machine or its environment."""

    type = "user-info"
    description = (
        "Tells who the user is: id, name, preferred model, locale and time zone. Takes no arguments: {}."
    )

    async def run(self, arguments: Any, context: ToolContext) -> dict[str, Any]:
        """`id, name, preferred_model, locale, time_zone`. Raises ToolError without a user."""
        user = None if context.user_id is None else self.services.find_user(context.user_id)
        if user is None:
            raise ToolError("this tool needs a user")
        return {
            "id": user.id,
            "name": user.name,
            "preferred_model": user.preferred_model,
            "locale": self.services.locale,
            "time_zone": self.services.time_zone,
        }
