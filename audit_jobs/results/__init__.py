"""Results of a run: rows, and their sums."""
