"""A program: runs the cells of a notebook with Spark, which gives its log no text of a query.

    python notebook.py < {"settings": {…}, "cells": ["SELECT …", ["lake.sales.orders", "id = 1"]]}

A cell is a statement, or a table and a condition, whose rows are counted. Prints the rows of
each, a line of JSON. It is a process of its own: Iceberg's classes must not be in the session of
the tests.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import SparkSession


def main(settings: Mapping[str, str], cells: Sequence[str | Sequence[str]]) -> None:
    """Runs the cells in one session; ends with what is wrong with the first that fails."""
    session = SparkSession.builder.master("local[2]").config(map=dict(settings)).getOrCreate()
    try:
        for cell in cells:
            sys.stdout.write(f"{json.dumps(_rows(session, cell), default=str)}\n")
    except Exception as error:  # noqa: BLE001
        sys.exit(f"{cell}: {str(error)[:1000]}")
    finally:
        session.stop()


def _rows(session: SparkSession, cell: str | Sequence[str]) -> list[list[Any]]:
    if isinstance(cell, str):
        return [list(row) for row in session.sql(cell).collect()]
    table, condition = cell
    return [[session.table(table).where(condition).count()]]


if __name__ == "__main__":
    main(**json.load(sys.stdin))
