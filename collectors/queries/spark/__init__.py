"""What Spark logs of its queries."""
