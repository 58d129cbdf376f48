"""Conditions as Spark prints them in plans."""
