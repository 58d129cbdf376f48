"""One Spark session for all tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from prunescope.audit_jobs.config import SparkConfig
from prunescope.audit_jobs.planning.spark_session import open_spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local session with two cores, as the product opens it."""
    session, _ = open_spark_session(SparkConfig(master="local[2]"))
    yield session
    session.stop()
