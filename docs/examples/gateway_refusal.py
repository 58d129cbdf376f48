"""Refuses queries that would read more than 1 GB, in a gateway's hook, by `prunescope serve`."""

import httpx

SERVER, LIMIT = "http://127.0.0.1:8788", 10**9


def refusal(sql: str, catalog: str, schema: str) -> str | None:
    """Tells why a query is not to run; None if it may, or if nobody knows."""
    asked = {"sql": sql, "engine": "trino-482", "catalog": catalog, "schema": schema}
    answer = httpx.post(f"{SERVER}/v1/dry-run", json=asked, timeout=2).json()
    if (answer.get("bytes") or 0) <= LIMIT:
        return None
    return f"reads {answer['bytes']:,} bytes ({answer['class']}: {answer['reason']})"
