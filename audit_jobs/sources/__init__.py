"""Query sources: one module for each kind of log, with its section of the configuration."""
