"""No row that Spark matches is ruled out, of random conditions on functions of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.collectors.sql.ranges.drawn import held
from tests.collectors.sql.ranges.engines import InSpark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow  # its rows are Arrow tables, which Spark before 4.0 does not take


def test_no_row_that_spark_matches_is_ruled_out(spark: SparkSession) -> None:
    found = held(InSpark(spark), seed=1, samples=20_000)
    assert found.lost == []
    assert found.results["exact"] > 20
