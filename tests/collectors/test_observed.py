"""Names of tables as they are shown where no catalog is known to have them."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName


@pytest.mark.parametrize(
    ("catalog", "parts", "shown"),
    [
        pytest.param("lake", ("db", "t"), "lake.db.t", id="name"),
        pytest.param(
            "lake", ("iceberg", "orders_2026"), "lake.iceberg.orders_2026", id="namespace"
        ),
        pytest.param(None, ("delta", "täble"), "delta.täble", id="namespace without catalog"),
        pytest.param("lake", ("db", "a b.c"), "lake.db.a b.c", id="quoted"),
        pytest.param(None, ("parquet", "s3://b/day=1/x"), "parquet.?", id="path"),
        pytest.param("lake", ("json", "miller.json"), "lake.json.?", id="file"),
        pytest.param("lake", ("db", "day=1"), "lake.db.?", id="partition"),
        pytest.param("lake", ("a/b", "c", "d"), "lake.?", id="behind a path"),
        pytest.param("s3://b", ("db", "t"), "?", id="catalog"),
    ],
)
def test_names_are_shown_and_paths_are_not(
    catalog: str | None, parts: tuple[str, ...], shown: str
) -> None:
    assert str(TableName(catalog, parts[:-1], parts[-1]).shown) == shown
