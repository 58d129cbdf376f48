"""Queries that ask for rows in parts, each of which an engine prunes by: what stands around them
stays one, so that it finds what it found before."""

from __future__ import annotations

from collections.abc import Sequence

from prunescope.audit_jobs.findings.usage import Group

_IN_PLACE = (
    "in FROM, in place of the table and under its name: what joins, counts, groups, sorts or "
    "limits its rows stays around it"
)


def in_parts(group: Group, conditions: Sequence[str]) -> str | None:
    """Outline of queries that read the rows of several conditions, no two of which have rows in
    common; None for a MERGE, which takes its rows at once."""
    if "merge" in group.traits:
        return None
    if verb := _verb(group):
        return "; ".join(f"{verb} … WHERE {condition}" for condition in conditions)
    selects = " UNION ALL ".join(f"SELECT … WHERE {condition}" for condition in conditions)
    return f"FROM ({selects})"


def where_parts_stand(group: Group) -> str:
    """Sentence on the place of the parts in the queries of a group."""
    if "merge" in group.traits:
        return (
            "A MERGE takes the rows of its target at once: write into ON what all parts have in "
            f"common, such as a range. Its source can be a UNION ALL of SELECTs, {_IN_PLACE}."
        )
    if verb := _verb(group):
        kept = "" if verb == "DELETE" else ", where SET leaves these columns as they are"
        return (
            f"Write a {verb} for each part{kept}; each is a commit of its own. In a subquery, a "
            f"UNION ALL of SELECTs stands {_IN_PLACE}."
        )
    return f"The UNION ALL stands {_IN_PLACE}."


def _verb(group: Group) -> str | None:
    return next((verb.upper() for verb in ("delete", "update") if verb in group.traits), None)
