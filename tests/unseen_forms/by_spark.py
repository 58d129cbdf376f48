"""Spark of the installed version as a judge of forms."""

from __future__ import annotations

import os
import sys
from collections.abc import Set as AbstractSet

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tests.unseen_forms.arrow_rows import NUMBER
from tests.unseen_forms.engines import Matching, QueryFailedError
from tests.unseen_forms.forms import Form


def in_spark() -> Matching:
    """Spark of the installed version, local; `timestamp` is its TIMESTAMP_NTZ."""
    os.environ["TZ"] = "UTC"
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = (
        builder.config("spark.pyspark.python", sys.executable)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.driver.memory", "1g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")

    def matching(form: Form, table: pa.Table) -> AbstractSet[int]:
        session.conf.set("spark.sql.session.timeZone", "UTC")
        frame = session.createDataFrame(table)
        session.conf.set("spark.sql.session.timeZone", form.zone)
        session.conf.set("spark.sql.ansi.enabled", str(form.is_ansi).lower())
        try:
            found = frame.where(form.where).select(NUMBER).collect()
        except PySparkException as error:
            raise QueryFailedError(str(error)) from error
        return {number for (number,) in found}

    return matching
