"""Values of constant expressions in a session, and terms of columns in expressions."""
