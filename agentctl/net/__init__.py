"""The network: one HTTP client, the framing of event streams, and when to try again."""
