"""Who the user is, and nothing more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agentctl.domain.tool import ToolContext
from agentctl.tools.base import Services, ToolConfig
from agentctl.tools.executor import execute
from agentctl.tools.user_info import UserInfo


def test_a_user_is_told_by_five_fields(call: Any) -> None:
    assert call("user-info").data == {
        "id": 7,
        "name": "ada",
        "preferred_model": "openai/x",
        "locale": "de_DE",
        "time_zone": "Asia/Shanghai",
    }


@pytest.mark.parametrize("user_id", [None, 8])
def test_without_a_user_there_is_nothing_to_tell(services: Services, user_id: int | None) -> None:
    context = ToolContext("u", user_id=user_id, session_id=None)
    result = asyncio.run(execute(UserInfo(ToolConfig(), services), {}, context))
    assert (result.success, result.error) == (False, "this tool needs a user")
