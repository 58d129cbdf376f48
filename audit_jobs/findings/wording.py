"""Words of sentences that depend on numbers."""

from __future__ import annotations


def scans(count: int, verb: str) -> str:
    """A number of scans and what they do: `1 scan reads`, `1,200 scans read`."""
    return f"1 scan {verb}s" if count == 1 else f"{count:,} scans {verb}"
