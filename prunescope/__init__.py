"""Replays the predicates of real queries against Apache Iceberg metadata.

`explain` plans one filter, `check` judges SQL before it ships, `tables` measures tables, `advise`
says what to change in them, and `findings` reads what the nightly audit found: docs/python.md.

Evidence is read by `prunescope.collectors`, and judged by `prunescope.audit_jobs`. In the
repository the packages are folders of its root, to which links in this one point. Names of these
packages are not public; those of `prunescope` itself are.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prunescope.audit_jobs.api.advising import Advice, TableAdvice, UnadvisedTable, advise
    from prunescope.audit_jobs.api.checks import Check, CheckedFile, TooSmall, check
    from prunescope.audit_jobs.api.explanations import (
        ExplainedConjunct,
        Explanation,
        FooterCounts,
        KeptCounts,
        PassCounts,
        explain,
    )
    from prunescope.audit_jobs.api.found import (
        FindingPlace,
        Findings,
        ReportedFinding,
        findings,
    )
    from prunescope.audit_jobs.api.surveys import (
        ColumnHealth,
        TableCondition,
        TableHealth,
        Tables,
        tables,
    )
    from prunescope.audit_jobs.errors import BadArgument, BadConfiguration, NotAudited, NotReplayed
    from prunescope.collectors.errors import PrunescopeError, SnapshotNotFound, TableNotFound
    from prunescope.collectors.tables.catalog import CatalogUnavailable

__all__ = (
    "Advice",
    "BadArgument",
    "BadConfiguration",
    "CatalogUnavailable",
    "Check",
    "CheckedFile",
    "ColumnHealth",
    "ExplainedConjunct",
    "Explanation",
    "FindingPlace",
    "Findings",
    "FooterCounts",
    "KeptCounts",
    "NotAudited",
    "NotReplayed",
    "PassCounts",
    "PrunescopeError",
    "ReportedFinding",
    "SnapshotNotFound",
    "TableAdvice",
    "TableCondition",
    "TableHealth",
    "TableNotFound",
    "Tables",
    "TooSmall",
    "UnadvisedTable",
    "advise",
    "check",
    "explain",
    "findings",
    "tables",
)

_MODULES = {
    "audit_jobs.api.advising": (
        "Advice",
        "TableAdvice",
        "UnadvisedTable",
        "advise",
    ),
    "audit_jobs.api.checks": (
        "Check",
        "CheckedFile",
        "TooSmall",
        "check",
    ),
    "audit_jobs.api.explanations": (
        "ExplainedConjunct",
        "Explanation",
        "FooterCounts",
        "KeptCounts",
        "PassCounts",
        "explain",
    ),
    "audit_jobs.api.found": (
        "FindingPlace",
        "ReportedFinding",
        "Findings",
        "findings",
    ),
    "audit_jobs.api.surveys": (
        "ColumnHealth",
        "TableCondition",
        "TableHealth",
        "Tables",
        "tables",
    ),
    "audit_jobs.errors": (
        "BadArgument",
        "BadConfiguration",
        "NotAudited",
        "NotReplayed",
    ),
    "collectors.errors": (
        "PrunescopeError",
        "SnapshotNotFound",
        "TableNotFound",
    ),
    "collectors.tables.catalog": ("CatalogUnavailable",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first asked for, as importing all of them takes time."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
