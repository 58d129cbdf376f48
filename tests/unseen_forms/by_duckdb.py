"""DuckDB of the installed version as a judge of forms."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import duckdb
import pyarrow as pa

from tests.unseen_forms.arrow_rows import NUMBER
from tests.unseen_forms.engines import Matching, QueryFailedError
from tests.unseen_forms.forms import Form


def in_duckdb() -> Matching:
    """DuckDB, with a connection of its own."""
    connection = duckdb.connect()

    def matching(form: Form, table: pa.Table) -> AbstractSet[int]:
        connection.execute(f"SET TimeZone = '{form.zone}'")
        connection.register("hostile", table)
        try:
            found = connection.execute(f"SELECT {NUMBER} FROM hostile WHERE {form.where}")
            return {number for (number,) in found.fetchall()}
        except duckdb.Error as error:
            raise QueryFailedError(str(error)) from error

    return matching
