"""Messages, the protocol of Anthropic and of servers that speak it too.

Options of a provider, model or agent that belong to this adapter (everything else under `options` is sent as
it is; null takes a parameter away):

    max_tokens            the most that an answer may have, thoughts included; the protocol wants a number, so
                          the model's max_output_tokens stands in, else 16000
    thinking_form         adaptive: the model decides how much it thinks, guided by thinking_effort (from
                          Claude 4.6 on); budget: it may think for a number of tokens (before 4.6). Default:
                          budget where thinking_budget is set, else adaptive. Where a model refuses one form
                          the other is tried; the option saves that request
    thinking_effort       minimal, low, medium, high, xhigh, max: how hard to think; as a budget they are
                          1024, 2048, 8192, 16384, 24576 and 32768 tokens
    thinking_budget       tokens for thoughts, at least 1024; less than max_tokens is left for the answer
    thinking_off          parameters to send when thinking is not wanted, for models that think unasked:
                          {thinking: {type: disabled}}
    structured_output     native (default): a schema goes to the server; prompt: into the system prompt
    prompt_cache          true: mark tools, system prompt and the newest message, so that the next request
                          reads them from the provider's cache at a tenth of the price
    server_tools          tools that run at the provider, as it writes them:
                          [{type: web_search_20250305, name: web_search}]; their calls are not asked about

While a model thinks, parameters that the protocol then forbids are not sent: temperature, top_k, a top_p
below 0.95, and a tool_choice that forces a tool. `anthropic-beta` and other headers are `headers` of the
provider. Thoughts go back to the provider and model that had them, with their signatures and in their place,
and to nobody else.
"""
