"""Tables that several modules of pairs ask."""
