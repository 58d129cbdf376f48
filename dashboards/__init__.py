"""Dashboards, recording rules and alert rules as code.

Names of metrics come from `prunescope.audit_jobs.sinks.metric_catalogue`, thresholds from
`settings`. The generated files are committed; `python -m prunescope.dashboards` writes them anew.
"""
