"""The tool type `http`: an API call that a config declares, in which only declared arguments vary."""
