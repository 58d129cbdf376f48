"""Bytes of tables' files: where they may be, within which limits, read once and kept."""
