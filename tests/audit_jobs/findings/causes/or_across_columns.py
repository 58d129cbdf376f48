"""OR across columns, which Trino drops: of arms that need a tenth of the files each, both need
19 %, if one needs a file of the other by chance alone."""

from __future__ import annotations

from prunescope.collectors.predicates.model import Written, all_of, any_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import written_as
from tests.audit_jobs.findings.usages import GB, ID, NAME, Case, Night, Told, compared, part, scan

_ONE, _OTHER = compared(ID, Op.EQ, 7), compared(NAME, Op.EQ, b"x")
_EITHER = any_of(_ONE, _OTHER)
_LISTED = any_of(_ONE, compared(ID, Op.EQ, 9), _OTHER)
_DROPPED = part(_EITHER, pushed=False, pruned=810)
_UNION = (
    'FROM (SELECT … WHERE ("id" = ?) UNION ALL SELECT … WHERE ("name" = ?) '
    'AND NOT coalesce("id" = ?, FALSE))'
)

FOUND = {
    "two arms": Case(
        Night((scan(_DROPPED, allowed=190),)),
        Told(
            ("id", "name"),
            2 * 80 * GB,
            "high",
            rewrite=_UNION,
            advice="in place of the table",
            evidence={
                "arms": 2,
                "bytes_at_stake_at_least": 2 * 62 * GB,
                "bytes_at_stake_at_most": 2 * 81 * GB,
            },
        ),
    ),
    "two values of one column, and one of another": Case(
        Night((scan(part(_LISTED, pushed=False, pruned=810), allowed=190),)),
        Told(
            ("id", "name"),
            2 * 80 * GB,
            "high",
            rewrite='FROM (SELECT … WHERE ("id" = ? OR "id" = ?) UNION ALL SELECT … WHERE '
            '("name" = ?) AND NOT coalesce("id" = ? OR "id" = ?, FALSE))',
            evidence={"arms": 2},
        ),
    ),
    "one of them on a partition column": Case(
        Night((scan(_DROPPED, allowed=190),), spec=[(NAME, "identity")]),
        Told(("id", "name"), 2 * 80 * GB, "high", lost_at="manifests", rewrite=_UNION),
    ),
    "both on partition columns, by whose values Trino leaves out files that are planned": Case(
        Night((scan(_DROPPED, allowed=190),), spec=[(ID, "identity"), (NAME, "identity")]),
        Told(
            ("id", "name"),
            2 * 80 * GB,
            confidence="medium",
            lost_at="manifests",
            rewrite=_UNION,
            advice="the bytes are planned, not read",
        ),
    ),
    "a DELETE": Case(
        Night((scan(_DROPPED, allowed=190, traits=frozenset({"write", "delete"})),)),
        Told(
            ("id", "name"),
            2 * 80 * GB,
            "high",
            rewrite='DELETE … WHERE ("id" = ?); DELETE … WHERE ("name" = ?) '
            'AND NOT coalesce("id" = ?, FALSE)',
            advice="a commit of its own",
        ),
    ),
    "an UPDATE": Case(
        Night((scan(_DROPPED, allowed=190, traits=frozenset({"write", "update"})),)),
        Told(
            ("id", "name"),
            2 * 80 * GB,
            "high",
            rewrite='UPDATE … WHERE ("id" = ?); UPDATE … WHERE ("name" = ?) '
            'AND NOT coalesce("id" = ?, FALSE)',
            advice="where SET leaves these columns as they are",
        ),
    ),
    "a MERGE": Case(
        Night((scan(_DROPPED, allowed=190, traits=frozenset({"write", "merge"})),)),
        Told(("id", "name"), 2 * 80 * GB, "high", advice="what all parts have in common"),
    ),
    "Athena is Trino": Case(
        Night((scan(_DROPPED, allowed=190, engine="athena"),)),
        Told(("id", "name"), 2 * 80 * GB, "high", rewrite=_UNION),
    ),
}

_ROW = written_as(
    Written("(id, name) > (7, 'x')", "(id, name) > (?, ?)"),
    any_of(compared(ID, Op.GT, 7), all_of(compared(ID, Op.EQ, 7), compared(NAME, Op.GT, b"x"))),
)

SILENT = {
    "rows that are compared": Night((scan(part(_ROW, pushed=False, pruned=810), allowed=190),)),
    "Spark pushes it whole": Night((scan(part(_EITHER, pruned=810), kept=190, engine="spark"),)),
    "the statistics rule out nothing": Night((scan(_DROPPED),)),
    "one column": Night(
        (scan(part(any_of(_ONE, compared(ID, Op.GT, 9)), pushed=False, pruned=810), allowed=190),)
    ),
    "nobody knows what the engine pushes": Night(
        (scan(part(_EITHER, pushed=None, pruned=810), allowed=190),)
    ),
    "nobody knows what is kept": Night((scan(_DROPPED, kept=None),)),
}
