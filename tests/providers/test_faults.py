from __future__ import annotations

import json
from typing import Any

import pytest

from agentctl.providers.base import CONTEXT_OVERFLOW
from agentctl.providers.faults import from_body, from_error

# Who says it, under which status, and how.
OVERFLOWS: list[tuple[str, int, Any]] = [
    (
        "OpenAI",
        400,
        {
            "message": "This model's maximum context length is 8192 tokens. However, your messages resulted "
            "in 8545 tokens. Please reduce the length of the messages.",
            "type": "invalid_request_error",
            "param": "messages",
            "code": "context_length_exceeded",
        },
    ),
    (
        "OpenAI Responses",
        400,
        {
            "message": "Your input exceeds the context window of this model. Please adjust your input.",
            "type": "invalid_request_error",
            "code": "context_length_exceeded",
        },
    ),
    (
        "OpenAI in words",
        400,
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
    ),
    (
        "Azure",
        400,
        {"message": "This model's maximum context length is 4096 tokens.", "code": "context_length_exceeded"},
    ),
    (
        "Anthropic",
        400,
        {"type": "invalid_request_error", "message": "prompt is too long: 208310 tokens > 200000 maximum"},
    ),
    (
        "Anthropic with max_tokens",
        400,
        {
            "type": "invalid_request_error",
            "message": "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, "
            "decrease input length or `max_tokens` and try again",
        },
    ),
    (
        "Gemini",
        400,
        {
            "code": 400,
            "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (10).",
            "status": "INVALID_ARGUMENT",
        },
    ),
    (
        "Bedrock",
        400,
        {"message": "Input is too long for requested model."},
    ),
    (
        "Mistral",
        400,
        {
            "object": "error",
            "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 "
            "maximum context length",
            "type": "invalid_request_error",
            "code": "3051",
        },
    ),
    (
        "DeepSeek",
        400,
        {
            "message": "This model's maximum context length is 65536 tokens. However, you requested 70000 "
            "tokens (66000 in the messages, 4000 in the completion).",
            "type": "invalid_request_error",
            "code": "invalid_request_error",
        },
    ),
    (
        "vLLM",
        400,
        {
            "message": "This model's maximum context length is 4096 tokens. However, you requested 5000.",
            "type": "BadRequestError",
            "code": 400,
        },
    ),
    (
        "vLLM about the decoder",
        400,
        {
            "message": "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
            "type": "BadRequestError",
            "code": 400,
        },
    ),
    (
        "vLLM about max_tokens",
        400,
        {
            "message": "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum "
            "context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
            "type": "BadRequestError",
            "code": 400,
        },
    ),
    (
        "llama.cpp",
        400,
        {
            "code": 400,
            "message": "the request exceeds the available context size, try increasing it",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": 1407,
            "n_ctx": 256,
        },
    ),
    (
        "llama.cpp before that code",
        500,
        {"code": 500, "message": "the request exceeds the available context size.", "type": "server_error"},
    ),
    ("Ollama", 400, "the input length exceeds the context length"),
    ("Ollama that does not truncate", 400, "prompt too long; exceeded max context length by 12 tokens"),
    (
        "LM Studio",
        400,
        "The number of tokens to keep is too large; the model is loaded with context length of only 4096.",
    ),
    (
        "xAI",
        400,
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    ),
    (
        "OpenRouter",
        400,
        {"code": 400, "message": "This endpoint's maximum context length is 131072 tokens. However, you ..."},
    ),
    ("Groq", 400, {"message": "Please reduce the length of the messages or completion.", "type": "invalid"}),
    ("MiniMax", 400, {"message": "invalid params, context window exceeds limit (2013)", "type": "bad"}),
    ("Moonshot", 400, {"message": "Your request exceeded model token limit: 262144", "type": "invalid"}),
    ("Qwen", 400, {"message": "Range of input length should be [1, 30720]", "code": "InvalidParameter"}),
]


@pytest.mark.parametrize(
    ("status", "error"), [row[1:] for row in OVERFLOWS], ids=[row[0] for row in OVERFLOWS]
)
def test_a_request_larger_than_the_window_is_known_whoever_says_so(status: int, error: Any) -> None:
    fault = from_body(status, json.dumps({"error": error}).encode(), "application/json")
    assert fault.overflows
    assert (fault.kind, fault.retryable, fault.status) == ("provider", False, status)
    in_stream = from_error(error)
    assert (in_stream.overflows, in_stream.retryable) == (True, False)


def test_a_word_of_the_providers_own_for_an_overflow_stays() -> None:
    assert (
        from_error({"type": "exceed_context_size_error", "message": "x"}).type == "exceed_context_size_error"
    )
    assert (
        from_error({"type": "invalid_request_error", "message": "prompt is too long"}).type
        == CONTEXT_OVERFLOW
    )


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (429, "Request too large for model: tokens per minute limit exceeded, context length reached"),
        (429, "This request would exceed your rate limit of 30,000 input tokens per minute"),
        (400, "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for m"),
        (400, "messages: text content blocks must be non-empty"),
        (400, "The model's reply exceeds what the tool schema allows"),
        (413, "Request exceeds the maximum size"),
        (401, "prompt is too long"),
    ],
)
def test_other_limits_are_not_the_window(status: int, message: str) -> None:
    assert not from_error({"type": "invalid_request_error", "message": message}, status).overflows


@pytest.mark.parametrize("status", [None, 200, 400, 403, 500, 529])
def test_an_overloaded_server_may_be_asked_again_whatever_the_status(status: int | None) -> None:
    fault = from_error({"type": "overloaded_error", "message": "Overloaded"}, status)
    assert (fault.kind, fault.type, fault.retryable) == ("temporary", "overloaded_error", True)


LOW = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"type": "invalid_request_error", "message": LOW}),
        (403, {"type": "billing_error", "message": "no payment method"}),
        (402, {"type": "billing_error", "message": LOW}),
        (None, {"type": "billing_error", "message": LOW}),
    ],
)
def test_an_account_without_money_is_out_of_credit(status: int | None, error: dict[str, str]) -> None:
    fault = from_error(error, status)
    assert (fault.kind, fault.type, fault.retryable) == ("credentials", "quota", False)


def test_a_rate_limit_that_speaks_of_credit_is_a_rate_limit() -> None:
    fault = from_error({"type": "rate_limit_error", "message": LOW}, 429)
    assert (fault.kind, fault.retryable) == ("temporary", True)


@pytest.mark.parametrize(("status", "kind"), [(429, "temporary"), (500, "temporary"), (400, "provider")])
def test_a_bad_status_is_a_fault_whatever_the_body(status: int, kind: str) -> None:
    def read(body: bytes, content_type: str = "text/event-stream") -> tuple[str, str, str]:
        fault = from_body(status, body, content_type)
        return fault.kind, fault.type, fault.message

    assert read(b'{"error":{"message":"m","type":"t"}}') == (kind, "t", "m")
    assert read(b"<title>Oops</title>") == (kind, "http", f"HTTP {status}: Oops")
    assert read(b"", "")[2] == f"HTTP {status}: an empty body"
