"""Where results go: Iceberg audit tables and Prometheus."""
