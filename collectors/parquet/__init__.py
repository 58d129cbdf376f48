"""What Parquet files say of their contents beyond the statistics of row groups."""
