"""Replies from a YAML file, for tests, demonstrations and CI without a model.

The name of the model is the path of the file, relative to the current folder: `-m script/replies.yaml`.

    plain_text: A short title       # answers requests for plain text (titles)
    replies:
      - match: (?i)weather          # a regular expression, searched in the last message
        text: It is sunny.
      - reasoning: The user wants a product.
        tool_calls:
          - {name: calculator, arguments: {expression: 37*91}}
      - text: ["It is ", "3367."]   # a list is streamed piece by piece, a text word by word
        delay: 0.5                  # seconds before the first piece
        chunk_delay: 0.05           # seconds between two pieces
        usage: {input: 12, output: 5, cached: 0, reasoning: 0, cache_write: 0}
      - error: {status: 429, message: slow down, retry_after: 1, times: 1}
        text: Here I am again.
      - text: I have nothing more to say.
        finish: length              # stop, length, tool_calls, content_filter or refusal
        repeat: true

Replies with `match` are tried first, in order; they may answer any number of times. Otherwise the replies
without `match` answer in order: the index is the number of assistant messages in the request that no pattern
accounts for, that is, whose preceding message matches none of them. Nothing is remembered between requests,
so a new process goes on where the last one stopped. The last reply without `match` may be marked
`repeat: true`; without that, running out is a fault of the provider.

`arguments` that are a text are sent as they are, so that broken ones can be played. An error has a `status`
(of HTTP), perhaps with the provider's `code` (`context_length_exceeded`, `insufficient_quota`), or a `kind`
(provider, temporary, credentials, refusal, limit, timeout), and may have `message` and `retry_after`. It
comes after the text of its reply; with `times: N` it comes instead of it, for the first N requests of a
process that reach this reply. Without `plain_text` a title is "Scripted conversation".

docs/script-provider.md shows a whole file at work.
"""
