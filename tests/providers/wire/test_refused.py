from __future__ import annotations

import pytest

from agentctl.providers.wire.refused import find_refused

SENT = {
    "max_tokens",
    "messages",
    "model",
    "output_config",
    "output_config.effort",
    "output_config.format",
    "stream",
    "system",
    "temperature",
    "thinking",
    "top_p",
}


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("adaptive thinking is not supported on this model", "thinking"),
        (
            (
                '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and '
                '"output_config.effort" to control thinking behavior.'
            ),
            "thinking",
        ),
        ("This model does not support the effort parameter.", "output_config.effort"),
        ("output_config.effort: Extra inputs are not permitted", "output_config.effort"),
        ("output_config: Extra inputs are not permitted", "output_config"),
        ("output_config.format: This model does not support structured outputs", "output_config.format"),
        ("output_config.format.schema: Schema is too complex", "output_config.format"),
        ("`temperature` is deprecated for this model.", "temperature"),
        ("`temperature` and `top_p` cannot both be specified for this model.", "temperature"),
        ('messages: Unexpected role "system". Use the top-level `system` parameter.', None),
        ("messages.0.content.1: unsupported image format", None),
        ("max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens", None),
        ("messages.1.content.0: Invalid `signature` in `thinking` block", None),
    ],
)
def test_the_first_name_in_the_words_of_a_messages_server_is_the_refused_one(
    message: str, name: str | None
) -> None:
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": message}}
    assert find_refused(400, body, SENT) == name


def test_a_member_that_was_not_sent_is_never_named() -> None:
    body = {"error": {"message": "This model does not support the effort parameter."}}
    assert find_refused(400, body, SENT - {"output_config.effort"}) is None


RESPONSES = {
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "reasoning",
    "reasoning.summary",
    "text",
}


@pytest.mark.parametrize(
    ("message", "param", "code", "name"),
    [
        ("Encrypted content is not supported with this model.", "include", None, "include"),
        (
            "Unsupported value: 'reasoning.summary'",
            "reasoning.summary",
            "unsupported_value",
            "reasoning.summary",
        ),
        (
            "Unsupported parameter: 'reasoning.effort'",
            "reasoning.effort",
            "unsupported_parameter",
            "reasoning",
        ),
        (
            "The encrypted content gAAA... could not be verified.",
            None,
            "invalid_encrypted_content",
            "include",
        ),
        ("Unknown parameter: 'input[2].status'.", "input[2].status", "unknown_parameter", None),
        ("Invalid value: 5. Expected at least 16.", "max_output_tokens", "integer_below_min_value", None),
        ("Unsupported value for instructions", "instructions", "unsupported_value", None),
    ],
)
def test_a_responses_server_names_the_parameter(
    message: str, param: str | None, code: str | None, name: str | None
) -> None:
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    assert find_refused(400, {"error": error}, RESPONSES) == name


@pytest.mark.parametrize("odd", [{"x": 1}, ["x"], 5, True, None, ""])
def test_objects_and_lists_where_words_are_due_do_not_hide_what_was_refused(odd: object) -> None:
    error = {"message": "temperature is not supported", "param": odd, "code": odd}
    assert find_refused(400, {"error": error}, SENT) == "temperature"
