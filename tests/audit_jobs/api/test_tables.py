"""`prunescope.tables` measures what PyIceberg lists.

The answers were written from the rows of `tests/audit_jobs/api/lake.py` and docs/tables.md alone.
"""

from __future__ import annotations

import pytest
from pyiceberg.table import Table

import prunescope


def test_tables_have_their_files_and_manifests(orders: Table) -> None:
    for asked in ("lake.sales.*", "lake.sales.orders", orders):
        [health] = prunescope.tables(asked)
        assert health.table_name == "lake.sales.orders"
        assert health.data_files == 8
        assert health.small_files == 8
        assert health.bytes == sum(orders.inspect.files()["file_size_in_bytes"].to_pylist())
        assert health.manifests == 2


@pytest.mark.usefixtures("orders")
def test_a_glob_that_fits_nothing_is_a_mistake() -> None:
    with pytest.raises(prunescope.PrunescopeError, match=r"lake\.sales\.orders"):
        prunescope.tables("lake.sales.order")


@pytest.mark.usefixtures("orders")
def test_arrow_has_a_row_for_each_table() -> None:
    rows = prunescope.tables().to_arrow().to_pylist()
    assert [(row["catalog"], row["namespace"], row["table"]) for row in rows] == [
        ("lake", "sales", "orders")
    ]
    assert rows[0]["data_files"] == 8
