"""SQL files as their authors see them: places in their text, edits, and what was known before."""
