"""Regular expressions, tried on a text where a catastrophic one can be stopped."""
