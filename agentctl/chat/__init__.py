"""A turn of a conversation, from the stored history to the last event."""
