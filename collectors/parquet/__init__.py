"""Contents of Parquet files beyond the statistics of row groups."""
