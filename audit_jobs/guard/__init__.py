"""Dry runs of queries before they run, from metadata that is held: `prunescope serve`."""
