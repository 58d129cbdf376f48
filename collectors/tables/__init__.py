"""Iceberg tables: metadata, manifests and Parquet footers as column-oriented statistics."""
