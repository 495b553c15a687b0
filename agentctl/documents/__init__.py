"""What agents remember and deliver; so far the titles that sessions and documents share."""
