"""Query sources: one module per log format, each yielding ObservedQuery."""
