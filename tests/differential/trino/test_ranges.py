"""No row that a real Trino matches is ruled out, of random conditions on functions of columns."""

from __future__ import annotations

import pytest

from tests.collectors.sql.ranges.drawn import held
from tests.collectors.sql.ranges.engines import InTrino
from tests.differential.trino.engine import Trino

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def test_no_row_that_trino_matches_is_ruled_out(trino: Trino) -> None:
    found = held(InTrino(trino), seed=1, samples=20_000)
    assert found.lost == []
    assert found.results["exact"] > 20
