"""Runs tools of installed packages, each call in a process of its own that takes nothing with it.

    this process --- one socket: the call, what the tool asks for, the answer ---> a clean Python
                 <-- one pipe: whatever it prints

The process lives for one call, has the environment of a program that a tool starts, and ends with everything
that it started, by the same means as the programs of the type `command`.
"""
