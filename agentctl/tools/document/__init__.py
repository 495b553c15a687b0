"""The tool type `document`: what agents remember and deliver, one tool with an operation for each action."""
