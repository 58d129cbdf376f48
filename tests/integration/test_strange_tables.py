"""Tables that were found to end a run for all, on Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from prunescope.audit_jobs.planning.spark import SparkRunner
from tests.audit_jobs.jobs.strange_tables import check_outcomes, write_strange_tables

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow


def test_each_has_its_own_outcome(tmp_path: Path, spark: SparkSession) -> None:
    check_outcomes(write_strange_tables(tmp_path), SparkRunner(spark))
