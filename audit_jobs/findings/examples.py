"""Example query of a finding: of the queries that it is about, the one that reads most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote

from prunescope.audit_jobs.findings.condition import columns_in
from prunescope.audit_jobs.findings.entries import shapes
from prunescope.audit_jobs.findings.model import Example, Finding
from prunescope.audit_jobs.findings.usage import TableUsage

QUERY_ID = "{query_id}"
"""The placeholder of a query's id in the template of a link."""


def with_example(usage: TableUsage, finding: Finding, links: Mapping[str, str]) -> Finding:
    """A finding with an example of its queries, of those that ask for its columns where any do, and
    a link by the template of its engine."""
    named = set(shapes(finding))
    groups = [one for one in usage.groups if not named or (one.fingerprint or "") in named]
    asking = [
        one for one in groups if not {*finding.columns}.isdisjoint(columns_in(one.conditions))
    ]
    if not groups:
        return finding
    most = max((one.sums.example for one in asking or groups), key=lambda one: one[:2])
    template, link = links.get(most.engine or ""), None
    if template is not None and most.query_id is not None:
        link = template.replace(QUERY_ID, quote(most.query_id, safe="", errors="replace"))
    return replace(
        finding,
        example=Example(most.query_id, most.user, most.started_at, most.source, most.place, link),
    )
