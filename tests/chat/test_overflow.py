from __future__ import annotations

import pytest

from agentctl.chat.overflow import read_overflow

# As OpenAI, vLLM, Anthropic, llama-server, Gemini, Mistral, text-generation-inference and xAI say it.
SAID = {
    "maximum context length is 8192 tokens. However, your messages resulted in 10000 tokens": (8192, 10000),
    "maximum context length is 8192 tokens, you requested 9000 (5000 in the messages)": (8192, 5000),
    "prompt is too long: 208310 tokens > 200000 maximum": (200000, 208310),
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000": (200000, 190000),
    "request (9000 tokens) exceeds the available context size (4096 tokens)": (4096, 9000),
    '"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096': (4096, 9000),
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).": (
        1048576,
        1200000,
    ),
    "Prompt contains 40000 tokens, too large for model with 32768 maximum context length": (32768, 40000),
    "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens": (8193, 9000),
    "maximum prompt length is 131,072 but the request contains 200,000 tokens": (131072, 200000),
    "The prompt exceeds the context window of this model.": (None, None),
    "error 400 from gpt-4-32768: too many tokens": (None, None),
    "": (None, None),
}


@pytest.mark.parametrize("said", SAID)
def test_the_numbers_in_a_complaint_are_found(said: str) -> None:
    assert read_overflow(said) == SAID[said]
