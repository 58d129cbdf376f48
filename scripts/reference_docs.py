"""`python -m scripts.reference_docs`: writes docs/columns.md and docs/metrics.md, which follow from
the schemas of the audit tables and from the catalogue of metrics."""

from __future__ import annotations

from pathlib import Path

from prunescope.audit_jobs.results import column_docs
from prunescope.audit_jobs.sinks import metric_docs

_DOCS = Path(__file__).parent.parent / "docs"

PAGES = {
    _DOCS / "columns.md": column_docs.document,
    _DOCS / "metrics.md": metric_docs.document,
}
"""Functions that write the text of each page."""

if __name__ == "__main__":
    for page, document in PAGES.items():
        page.write_text(document(), encoding="utf-8")
