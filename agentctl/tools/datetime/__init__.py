"""Dates and times: the clock, time zones, durations, and the ways people write them."""
