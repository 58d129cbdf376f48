"""What Trino logs of its queries."""
