"""What constant expressions mean in a session, and what an expression says of a column."""
