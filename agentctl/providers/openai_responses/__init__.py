"""Responses, the newer protocol of OpenAI, which a few other servers speak too.

`-m openai-responses/MODEL` asks OpenAI; another server is a provider of kind `openai-responses` with a
`base_url`. Nothing is stored at the provider: every request holds the whole conversation, and reasoning goes
back sealed (`encrypted_content`) to the provider and model that made it.

Options of a provider, model or agent that belong to this adapter (everything else under `options` is sent as
it is; null takes a parameter away):

    max_tokens            the most that an answer may have, thoughts included; sent as `max_output_tokens`
    min_output_tokens     the least `max_output_tokens` that the server takes (16 at OpenAI)
    structured_output     native: a JSON Schema is sent as `text.format`; prompt: as words of the prompt
    thinking_effort       how much to think when thinking is wanted: minimal, low, medium, high, ...
    thinking_budget       the same in tokens, for servers whose `thinking_on` has a place for it
    thinking_on           parameters to send when thinking is wanted; `{effort}` and `{budget}` stand for the
                          two options above, and what has no value is left out
                          (by default `{reasoning: {effort: "{effort}", summary: auto}}`)
    thinking_off          parameters to send when it is not, for models that think unasked:
                          `{reasoning: {effort: none}}`

A parameter that the model does not take (temperature, reasoning, summaries for some accounts) is left out
after the first refusal, and said so.
"""
