"""The address guard: requests to places that a model or a page chose, which must not be inside a network."""
