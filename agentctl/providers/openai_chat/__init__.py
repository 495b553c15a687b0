"""Chat Completions, the protocol of OpenAI and of nearly every other server.

Options of a provider or model that belong to this adapter (everything else under `options` is sent as it is;
null takes a parameter away):

    max_tokens_field      name under which `max_tokens` is sent (`max_completion_tokens` at OpenAI)
    short_call_ids        send tool call ids as 9 letters and digits (Mistral accepts nothing else)
    replay_reasoning      true: send `reasoning_content` back with messages that call tools; all: always
    think_tags            take text up to `</think>` for reasoning
    lenient_tool_calls    take an answer that is nothing but `{"name": ..., "arguments": ...}` for a tool call
    thinking_on           parameters to send when thinking is wanted
    thinking_off          parameters to send when it is not
"""
