"""Statements as text and trees: taken apart, parsed, renamed, fingerprinted."""
