"""Logs whose reading has no end in a night, on Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from prunescope.audit_jobs.planning.spark import SparkRunner
from tests.audit_jobs.jobs.slow_logs import PARTS, check_parts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Not `spark`: that tasks may take so long is no matter of its version.
pytestmark = pytest.mark.slow


def test_the_tasks_of_a_log_have_the_time_of_one(tmp_path: Path, spark: SparkSession) -> None:
    check_parts(tmp_path, SparkRunner(spark), tasks=PARTS // 64)
