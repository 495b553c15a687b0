"""Runs code that could hang or eat memory in a child process that can be killed.

    this process --- control socket ---> fork server --- fork ---> one child per call
         \\______________ one socket per call, passed to the server ______/

The server is a clean Python that holds nothing of ours but its socket; when that closes, for whatever reason,
it kills its whole process group, itself included. Each child arms its own deadline before it does anything.
"""
