"""Beginnings of texts of which any will do, so that what is to be written has an OR."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, laid_out, repeated, rng, table, texts

COUNT = 60 * FILE_ROWS


def parcels() -> Layout:
    """Parcels in order of their routes, with depots that follow the routes."""
    places = np.arange(COUNT)
    return laid_out(
        table(
            {
                "route": texts(places * 6_000 // COUNT, "R{:04}-x"),
                "depot": texts(places // (3 * FILE_ROWS), "D{:02}/west"),
                "weight": rng(5_021).integers(1, 30, COUNT),
            },
            5_021,
        )
    )


PAIRS = (
    # Routes of two ranges, and depots of three, of which the ranges have one each.
    Pair(
        "parcels_of_routes_and_depots",
        parcels,
        repeated(
            "SELECT sum(weight) FROM lake.db.parcels_of_routes_and_depots"
            " WHERE left(route, 3) IN ('R01', 'R04') AND left(depot, 3) IN ('D00', 'D01', 'D15')",
            4,
            **SPARK,
        ),
        expected=(
            Expected("like_without_prefix|wrapped_column", ("route",), (0.85, 0.99), False, True),
        ),
    ),
    # The query's own OR has to be in brackets, once something stands beside.
    Pair(
        "parcels_of_either_route",
        parcels,
        repeated(
            "SELECT sum(weight) FROM lake.db.parcels_of_either_route"
            " WHERE substring(route, 1, 4) = 'R012' OR substring(route, 1, 4) = 'R047'",
            4,
            **SPARK,
        ),
        expected=(
            Expected(
                "like_without_prefix|wrapped_column",
                ("route",),
                (0.9, 0.98),
                False,
                True,
                ("in brackets first",),
            ),
        ),
    ),
    Pair(
        "parcels_by_an_expression_of_two",
        parcels,
        repeated(
            "SELECT sum(weight) FROM lake.db.parcels_by_an_expression_of_two"
            " WHERE regexp_like(route, '^(R013|R052)') AND regexp_like(depot, '^(D00|D17)')",
            4,
        ),
        expected=(
            Expected(
                "like_without_prefix|wrapped_column", ("route|depot",), (0.9, 0.99), False, True
            ),
        ),
    ),
)
