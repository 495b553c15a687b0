"""The YAML control plane: read what files declare, compare it with the database, apply the difference."""
