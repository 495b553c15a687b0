"""What agents remember and deliver, and the titles that sessions and documents share."""
