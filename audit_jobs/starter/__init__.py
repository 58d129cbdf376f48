"""From nothing to a configuration: what logs are, how a catalog is reached, and the file."""
