"""Recordings of conversations: JSON lines that a run can be played again from, offline.

The first line is `recording`: the version of the format and the session. Then, for every turn, one `run` (the
models, the prompt, the seed of its ids, the time it began) and what came from outside while it ran, in order:

    check      a model that could not be asked, so that the next one was
    exchange   a request over HTTP without its headers, and the bytes of the answer as they were read
    answer     the same for a model that is not asked over HTTP: a script, the embedded one
    tool       a call that was run, and its result
    decision   a person's answer to the question about a call

and `end`. Every `at` is milliseconds since its run began. A line that is not whole (its writer was killed) is
left out. No key stands in a recording: headers of requests are not kept, known keys are blanked everywhere.
"""
