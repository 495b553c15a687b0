"""Fetches a page from the web and makes of it what a model can read."""
