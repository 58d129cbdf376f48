"""A table whose storage hangs ends, by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from prunescope.audit_jobs.planning.runner import LocalRunner
from tests.audit_jobs.jobs.slow_tables import check_outcomes
from tests.object_store import PROGRAM, serve

pytestmark = pytest.mark.slow


def test_a_table_that_takes_too_long_fails_alone(
    tmp_path: Path, require_program: Callable[[str], Path]
) -> None:
    with serve(require_program(PROGRAM), tmp_path / "store") as store:
        check_outcomes(store, tmp_path / "lake", LocalRunner())
