"""Text formats, in and out, with line numbers; the only place where PyYAML is used."""
