"""Refuses queries that would read more than 1 GB, as a gateway in front of Trino may ask."""

import prunescope

LIMIT = 10**9


def refusal(sql: str, catalog: str, schema: str) -> str | None:
    """Tells why a query is not to run; None if it may."""
    checked = prunescope.check(sql, engine="trino-482", catalog=catalog, schema=schema, small=True)
    if checked.bytes_kept is not None and checked.bytes_kept <= LIMIT:
        return None
    why = [f"{file.outcome}: {file.message}" for file in checked.not_replayed]
    why += [found.sentence for found in checked.findings]
    return "\n".join([f"reads {checked.bytes_kept} bytes", *why])
