"""The tool type `memory`: the memories of the `document` tool as files below /memories."""
