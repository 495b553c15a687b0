"""The tool type `search`: the web through a backend that its config chooses, or one's own sessions."""
