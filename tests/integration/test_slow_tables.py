"""Tables whose storage hangs, on Spark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from prunescope.audit_jobs.planning.spark import SparkRunner
from tests.audit_jobs.jobs.slow_tables import check_outcomes
from tests.object_store import PROGRAM, serve

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow


def test_a_table_that_takes_too_long_fails_alone(
    tmp_path: Path, spark: SparkSession, require_program: Callable[[str], Path]
) -> None:
    with serve(require_program(PROGRAM), tmp_path / "store") as store:
        check_outcomes(store, tmp_path / "lake", SparkRunner(spark))
