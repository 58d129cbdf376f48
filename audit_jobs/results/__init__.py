"""What a run found: rows, and their sums."""
