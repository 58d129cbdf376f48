"""Conditions on wrapped columns, said of the columns themselves: one module for each form."""
