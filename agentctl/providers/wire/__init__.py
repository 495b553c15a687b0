"""What all protocols over HTTP share: sending a request, explaining a refusal, reading what is no event."""
