"""Functions of dialects whose engines were not compared, if their documentation leaves no doubt, by
sqlglot's names of the dialects."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from prunescope.collectors.sql.constants import calls, days, epochs
from prunescope.collectors.sql.constants.bigquery import BIGQUERY
from prunescope.collectors.sql.constants.call import Function
from prunescope.collectors.sql.constants.clickhouse import CLICKHOUSE
from prunescope.collectors.sql.constants.duckdb import DUCKDB
from prunescope.collectors.sql.constants.shared import EVERYWHERE
from prunescope.collectors.sql.constants.snowflake import SNOWFLAKE

DOCUMENTED: Mapping[str, Mapping[type[exp.Expr] | str, Function]] = {
    "clickhouse": CLICKHOUSE,
    "bigquery": BIGQUERY,
    "snowflake": SNOWFLAKE,
    "duckdb": DUCKDB,
    **{name: {exp.RegexpLike: EVERYWHERE[exp.RegexpLike]} for name in ("postgres", "redshift")},
    "dremio": {
        exp.LastDay: Function(days.last_day),
        exp.Pow: Function(calls.power, ("this", "expression")),
        "to_date": Function(epochs.read_day_by_name, ("this", "format")),
        "to_timestamp": Function(epochs.read_moment_by_name, ("this", "format")),
    },
}
