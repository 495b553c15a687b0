"""Searches documents: a query language, units of text, an index, and ranks that are joined."""
