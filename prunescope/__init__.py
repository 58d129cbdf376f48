"""Replays the predicates of real queries against Apache Iceberg metadata.

Evidence is read by `prunescope.collectors`, and judged by `prunescope.audit_jobs`. In the
repository the packages are folders of its root, to which links in this one point.
"""
