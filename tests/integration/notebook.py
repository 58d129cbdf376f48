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

from pyspark.sql import SparkSession


def main(settings: Mapping[str, str], cells: Sequence[str | Sequence[str]]) -> None:
    """Runs the cells in one session."""
    session = SparkSession.builder.master("local[2]").config(map=dict(settings)).getOrCreate()
    try:
        for cell in cells:
            if isinstance(cell, str):
                rows = [list(row) for row in session.sql(cell).collect()]
            else:
                table, condition = cell
                rows = [[session.table(table).where(condition).count()]]
            sys.stdout.write(f"{json.dumps(rows, default=str)}\n")
    finally:
        session.stop()


if __name__ == "__main__":
    main(**json.load(sys.stdin))
