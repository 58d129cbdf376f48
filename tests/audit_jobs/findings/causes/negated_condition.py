"""Only negated conditions: `name <> 'done'`, of which sampled rows tell that few match."""

from __future__ import annotations

from dataclasses import replace

from prunescope.collectors.predicates.model import any_of
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    GB,
    ID,
    NAME,
    Case,
    Night,
    Told,
    compared,
    matching,
    part,
    scan,
)

_NOT = compared(NAME, Op.NOT_EQ, b"done")
_NOT_EQUAL = part(_NOT, reason="not_equal")

FOUND = {
    "one row of a hundred is open": Case(
        Night((scan(part(_NOT), share=0.01),)),
        Told(
            ("name",),
            2 * (100 * GB - GB),
            "high",
            "medium",
            spark=("WRITE ORDERED BY `name`", "sort_order => '`name`'"),
            trino=("sorted_by = ARRAY['\"name\"']", "EXECUTE optimize"),
            rewrite='"name" IN (?)',
            evidence={
                "share_matching_at_most": 0.01,
                "bytes_by_rewrite": 0,
                "bytes_by_order": 2 * 99 * GB,
            },
        ),
    ),
    "not null either, as Spark infers": Case(
        Night((scan(part(_NOT), part(compared(NAME, Op.NOT_NULL)), share=0.01),)),
        Told(
            ("name",),
            2 * 99 * GB,
            "high",
            "medium",
            spark=("WRITE ORDERED BY `name`", "rewrite_data_files"),
            trino=("sorted_by = ARRAY['\"name\"']", "EXECUTE optimize"),
            rewrite='"name" IN (?)',
        ),
    ),
    "nearly half of the rows": Case(
        Night((scan(part(_NOT), share=0.49),)),
        Told(
            ("name",),
            2 * 51 * GB,
            "high",
            "medium",
            spark=("WRITE ORDERED BY `name`", "rewrite_data_files"),
            trino=("sorted_by = ARRAY['\"name\"']", "EXECUTE optimize"),
            rewrite='"name" IN (?)',
        ),
    ),
    "rows are in order, and the planner is old": Case(
        Night((scan(_NOT_EQUAL, allowed=100, share=0.1),)),
        Told(
            ("name",),
            2 * 90 * GB,
            "high",
            "medium",
            rewrite='"name" IN (?)',
            evidence={"bytes_by_rewrite": 180 * GB, "bytes_by_order": 0},
        ),
    ),
    # A sort would win nine tenths of what is left, which is a tenth of the table.
    "what is wanted lies in few files, and the planner is old": Case(
        Night((scan(_NOT_EQUAL, allowed=100, share=0.01),)),
        Told(
            ("name",),
            2 * 90 * GB,
            "high",
            "medium",
            rewrite='"name" IN (?)',
            advice="the list is enough",
            evidence={"bytes_by_rewrite": 180 * GB, "bytes_by_order": 0},
        ),
    ),
    "it lies in more files, and the planner is old": Case(
        Night((scan(_NOT_EQUAL, allowed=300, share=0.01),)),
        Told(
            ("name",),
            2 * 99 * GB,
            "high",
            "medium",
            spark=("WRITE ORDERED BY `name`", "rewrite_data_files"),
            trino=("sorted_by = ARRAY['\"name\"']", "EXECUTE optimize"),
            rewrite='"name" IN (?)',
            evidence={"bytes_by_rewrite": 140 * GB, "bytes_by_order": 2 * 29 * GB},
        ),
    ),
}

_OTHERS = compared(NAME, Op.NOT_STARTS_WITH, b"tmp/")


def _sorted(rewrite: str | None) -> Told:
    """An order by the name, and what to write beside."""
    return Told(
        ("name",),
        2 * 99 * GB,
        "high",
        "medium",
        spark=("WRITE ORDERED BY `name`", "rewrite_data_files"),
        trino=("sorted_by = ARRAY['\"name\"']", "EXECUTE optimize"),
        rewrite=rewrite,
    )


FOUND |= {
    "what is not wanted is a beginning, of which Trino makes nothing": Case(
        Night((scan(part(_OTHERS, pushed=False), share=0.01),)),
        _sorted('("name" < ? OR "name" >= ?)'),
    ),
    "or Trino makes nothing of it, though rows are in order": Case(
        Night((scan(part(_OTHERS, pushed=False, pruned=900), allowed=100, share=0.01),)),
        Told(
            ("name",),
            2 * 90 * GB,
            "high",
            "medium",
            rewrite='("name" < ? OR "name" >= ?)',
            advice="the ranges are enough",
        ),
    ),
    "Spark's planner is given the beginning": Case(
        Night((scan(part(_OTHERS), share=0.01, engine="spark"),)),
        _sorted(None),
    ),
    "but not what is made of a function": Case(
        Night((scan(part(_OTHERS, pushed=False), share=0.01, engine="spark"),)),
        _sorted("`name` NOT LIKE ? || '%'"),
    ),
    "a beginning, or null": Case(
        Night((scan(part(any_of(_OTHERS, compared(NAME, Op.IS_NULL)), pushed=False), share=0.01),)),
        _sorted('("name" < ? OR "name" >= ? OR "name" IS NULL)'),
    ),
}


def _held_by(holding: float) -> Night:
    """Of the sampled files such a share holds what is wanted."""
    few = replace(matching(0.01), holding=holding)
    return Night((replace(scan(part(_NOT), share=0.01), matching=few),))


FOUND |= {
    "few files hold what is wanted, though bounds do not say so": Case(
        _held_by(0.05),
        Told(
            ("name",),
            2 * 95 * GB,
            "high",
            "medium",
            rewrite='"name" IN (?)',
            advice="audit again before you sort",
            evidence={"bytes_by_rewrite": 190 * GB, "bytes_by_order": 0},
        ),
    ),
    "many files hold it": Case(_held_by(0.3), _sorted('"name" IN (?)')),
    "none was seen to hold it, so nobody can list it": Case(
        _held_by(0.0), _sorted('"name" IN (?)')
    ),
}

SILENT = {
    "what is wanted lies in a tenth of the files, and the planner knows": Night(
        (scan(part(_NOT, pruned=900), kept=100, allowed=100, share=0.01),)
    ),
    "half of the rows": Night((scan(part(_NOT), share=0.5),)),
    "no rows are sampled": Night((scan(part(_NOT)),)),
    "no rows are sampled, and the planner is old": Night((scan(_NOT_EQUAL, allowed=100),)),
    "another condition says what is wanted": Night(
        (scan(part(_NOT), part(compared(ID, Op.EQ, 7)), share=0.01),)
    ),
    "wanted values": Night((scan(part(compared(NAME, Op.IN, b"a", b"b")), share=0.01),)),
}
