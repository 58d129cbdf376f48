"""From queries to the distinct scans of a run."""
