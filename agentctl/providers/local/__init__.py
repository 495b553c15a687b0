"""The embedded model: a small language model on this machine, without a key and without a network.

models     which models there are, and where their files stand
pull       fetches a file; wheels does it through pip
runtime    whether this machine can run the models, and what to do where it cannot
server     the process that holds a model, one per user and model; watch ends it
place      the names of its socket, key and locks; locks are the locks
starter    finds a running server or starts one
adapter    answers a request: conversation and route prepare it, verbatim mends it, outcome tells a result
prefix     keeps the model's state after a long prompt, so that the next server need not compute it again
"""
