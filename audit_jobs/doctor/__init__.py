"""Looking for what keeps an audit from working: a check a function, each with what to do."""
