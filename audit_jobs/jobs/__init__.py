"""Jobs that a scheduler starts."""
