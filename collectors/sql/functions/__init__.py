"""Laws of SQL functions: the arguments in which functions are monotone, and within which
periods."""
