"""Plain frozen values that every layer shares; they import nothing of ours."""
