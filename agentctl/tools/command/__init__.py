"""The tool type `command`: a program that the config declares, run without a shell.

template (argv with places) + checked arguments -> words -> process, in an environment of its own,
with everything it starts found by family and ended with it.
"""
