"""The package: its version and nothing else, so that importing it costs nothing."""

__version__ = "0.1.0"
