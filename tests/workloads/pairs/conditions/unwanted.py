"""Conditions that say what is not wanted, within functions: most rows match them."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, each, laid_out, repeated, rng, table, texts

FILES = 40
COUNT = FILES * FILE_ROWS

CHANGES = r"ALTER|CALL"
"""What no statement is to do to a table that is as it should be."""


def orders() -> Layout:
    """Orders as they came, in four states, of which one in fifty is cancelled."""
    states = rng(7301).choice(
        ["open", "closed", "Cancelled", "shipped"], COUNT, p=[0.5, 0.3, 0.02, 0.18]
    )
    return laid_out(
        table(
            {
                "id": np.arange(COUNT),
                "state": texts(states),
                "buyer": texts([f"buyer {n}" for n in rng(7302).integers(0, 9_999, COUNT)]),
                "shop": rng(7303).integers(0, 1_000, COUNT),
            }
        )
    )


def tickets() -> Layout:
    """Tickets as they came, of which 3 in 200 are not closed."""
    draw = rng(7304)
    states = draw.choice(["closed", "open", "held"], COUNT, p=[0.985, 0.01, 0.005])
    return laid_out(table({"state": texts(states), "team": draw.integers(0, 300, COUNT)}))


def by_state() -> Layout:
    """A partition for each of forty states, which is one file."""
    states = np.repeat(np.arange(FILES), FILE_ROWS)
    return laid_out(
        table({"state": texts([f"S{n:02}" for n in states]), "id": np.arange(COUNT)}), "state"
    )


PAIRS = (
    # What is left of teams without one is nearly all: there is nothing to list.
    Pair(
        "tickets_of_other_teams",
        tickets,
        each(
            "SELECT team, count(*) FROM lake.db.tickets_of_other_teams"
            " WHERE team <> {} AND state <> 'closed' GROUP BY team",
            range(5),
        ),
        expected=(
            Expected("negated_condition", ("state",), (0.85, 0.99), True, True, (r"state IN",)),
        ),
        never=("ORDERED BY team",),
        unsaid=("values of team",),
    ),
    Pair(
        "all_but_the_cancelled",
        orders,
        repeated(
            "SELECT sum(shop) FROM lake.db.all_but_the_cancelled WHERE upper(state) <> 'CANCELLED'",
            5,
        ),
        tempting={"wrapped_column": "98 % of the rows match", "negated_condition": "likewise"},
        never=(CHANGES,),
    ),
    Pair(
        "buyers_with_a_name",
        orders,
        repeated(
            "SELECT count(*) FROM lake.db.buyers_with_a_name WHERE trim(buyer) != ''", 5, **SPARK
        ),
        tempting={"wrapped_column": "all rows match"},
        never=(CHANGES,),
    ),
    Pair(
        "nine_of_ten_shops",
        orders,
        repeated("SELECT max(id) FROM lake.db.nine_of_ten_shops WHERE NOT (shop % 10 = 3)", 5),
        tempting={"wrapped_column": "nine in ten rows match, and these are everywhere"},
        never=(CHANGES,),
    ),
    Pair(
        "without_tests",
        orders,
        repeated(
            "SELECT max(id) FROM lake.db.without_tests"
            " WHERE lower(buyer) NOT IN ('test', 'buyer 1', 'buyer 2')",
            5,
        ),
        tempting={"wrapped_column": "all but a few rows match"},
        never=(CHANGES,),
    ),
    # What is wanted is another matter, and so is a partition that could be left out.
    Pair(
        "the_cancelled_alone",
        orders,
        repeated(
            "SELECT sum(shop) FROM lake.db.the_cancelled_alone WHERE upper(state) = 'CANCELLED'", 5
        ),
        (Expected("wrapped_column", ("state",), statements=False),),
    ),
    Pair(
        "all_states_but_one",
        by_state,
        repeated("SELECT max(id) FROM lake.db.all_states_but_one WHERE upper(state) <> 'S07'", 5),
        allowed=(Expected("wrapped_column", ("state",), statements=False),),
        tempting={"no_partition_filter": "the state is the partition"},
        never=(CHANGES,),
    ),
)
