"""Which model answers, and why."""
