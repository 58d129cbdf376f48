"""Dashboards, recording rules and alert rules as code.

Names of metrics come from `audit_jobs.sinks.metric_catalogue`, thresholds from `settings`. The
generated files are committed; `python -m dashboards` writes them anew.
"""
