"""English words that stand in every text, and so tell none from another."""

from __future__ import annotations

_WORDS = """
a about above after again against all am an and any are as at be because been before being below between
both but by can could d did do does doing don down during each few for from further had has have having
he her here hers herself him himself his how i if in into is it its itself just ll m me more most my
myself no nor not now of off on once only or other our ours ourselves out over own re s same she should
so some such t than that the their theirs them themselves then there these they this those through to too
under until up ve very was we were what when where which while who whom whose why will with would you
your yours yourself yourselves
"""
STOP_WORDS = frozenset(_WORDS.split())
