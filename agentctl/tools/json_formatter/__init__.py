"""JSON, formatted, minified or checked without changing a number or losing a key."""
