"""The exporter: metrics of the latest run, read from the audit tables, for Prometheus to scrape."""
