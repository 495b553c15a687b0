"""Chat Completions, the protocol of OpenAI and of nearly every other server.

Options of a provider or model that belong to this adapter (everything else under `options` is sent as it is;
null takes a parameter away):

    max_tokens_field      name under which `max_tokens` is sent (`max_completion_tokens` at OpenAI)
    structured_output     native: a JSON Schema is sent as `response_format`; prompt: as words of the prompt
    thinking_effort       how much to think when thinking is wanted: minimal, low, medium, high, ...
    thinking_budget       the same in tokens, for providers that have it
    thinking_on           parameters to send when thinking is wanted; `{effort}` and `{budget}` stand for the
                          two options above, and what has no value is left out
                          (by default `{reasoning_effort: "{effort}"}`)
    thinking_off          parameters to send when it is not
    replay_reasoning      true: send `reasoning_content` back with messages that call tools; all: always
    short_call_ids        send tool call ids as 9 letters and digits (Mistral accepts nothing else)
    think_tags            take text up to `</think>` for reasoning
    lenient_tool_calls    take an answer that is nothing but `{"name": ..., "arguments": ...}` for a tool call
"""
