"""The calculator: expressions as people and models write them, computed exactly where that is possible.

    tokens -> syntax -> evaluation, with the operators in arithmetic and the named functions in functions.

A syntax of its own rather than Python's: `!`, percent and thousands separators are no Python, numbers keep
all their digits, and a child of the guard need not load `ast`.
"""
