"""Leaves of structs, which sort, have metrics, and are filtered like other columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, Numbers, each, laid_out, rng, table, texts

COUNT = 40 * FILE_ROWS


def _device(numbers: Numbers) -> pa.Array:
    models = texts(numbers % 7, "m{}")
    return pa.StructArray.from_arrays([texts(numbers, "d{:05d}"), models], ["id", "model"])


def scattered_devices() -> Layout:
    """40 files, with any of 5,000 devices in each."""
    return laid_out(table({"device": _device(rng(21).integers(0, 5_000, COUNT))}))


def devices_in_order() -> Layout:
    """40 files in order of the device."""
    return laid_out(table({"device": _device(np.sort(rng(22).integers(0, 5_000, COUNT)))}))


def unmeasured_devices() -> Layout:
    """40 files in order of the device, without bounds of it."""
    numbers = np.sort(rng(23).integers(0, 5_000, COUNT))
    return laid_out(
        table({"device": _device(numbers)}),
        properties={"write.metadata.metrics.column.device.id": "counts"},
    )


def scattered_cells() -> Layout:
    """100 files, with rows of any of 5,000 columns and rows of a grid in each."""
    draw = rng(24)
    count = 100 * FILE_ROWS
    sides = [pa.array(draw.integers(0, 5_000, count)) for _ in range(2)]
    return laid_out(table({"cell": pa.StructArray.from_arrays(sides, ["east", "north"])}))


DEVICES = range(17, 5_000, 250)

PAIRS = (
    # A Z-order would serve both sides, and Spark's finds no fields of structs: ranges of one, in
    # order of the other each, leave ten of 100 files or about.
    Pair(
        "scattered_cells",
        scattered_cells,
        [
            *each("SELECT * FROM lake.db.scattered_cells WHERE cell.east = {}", DEVICES, **SPARK),
            *each("SELECT * FROM lake.db.scattered_cells WHERE cell.north = {}", DEVICES, **SPARK),
        ],
        expected=(Expected("unclustered_column", (), (0.7, 0.9), True, says=("truncate",)),),
        allowed=(Expected("unclustered_column", (), statements=False),),
        never=("zorder",),
        unsaid=("zorder",),
    ),
    # 5 rows of 24,000 match, and all 40 files are read: one or two after a sort.
    Pair(
        "scattered_devices",
        scattered_devices,
        each("SELECT * FROM lake.db.scattered_devices WHERE device.id = 'd{:05d}'", DEVICES),
        expected=(
            Expected(
                "unclustered_column", ("device.id",), (0.9, 0.98), True, False, (r"device\.id",)
            ),
        ),
    ),
    Pair(
        "scattered_devices_spark",
        scattered_devices,
        each(
            "SELECT * FROM lake.db.scattered_devices_spark"
            " WHERE device.id BETWEEN 'd{0:05d}' AND 'd{0:05d}x'",
            DEVICES,
            **SPARK,
        ),
        expected=(
            Expected(
                "unclustered_column", ("device.id",), (0.9, 0.98), True, False, (r"device\.id",)
            ),
        ),
    ),
    Pair(
        "devices_in_order",
        devices_in_order,
        each("SELECT * FROM lake.db.devices_in_order WHERE device.id = 'd{:05d}'", DEVICES),
        tempting={"unclustered_column": "the leaf is in order already"},
    ),
    # Each file has its own devices; only the bounds are missing, which footers prove.
    Pair(
        "unmeasured_devices",
        unmeasured_devices,
        each("SELECT * FROM lake.db.unmeasured_devices WHERE device.id = 'd{:05d}'", DEVICES),
        expected=(
            Expected(
                "no_column_metrics", ("device.id",), (0.9, 0.98), True, False, (r"device\.id",)
            ),
        ),
        tempting={"unclustered_column": "the order is there, the bounds are not"},
    ),
)
