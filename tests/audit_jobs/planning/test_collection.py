"""What the cycle collector looks at."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from prunescope.audit_jobs.planning.collection import spare_libraries


@pytest.fixture
def _unfrozen() -> Iterator[None]:
    yield
    gc.unfreeze()


@pytest.mark.slow
@pytest.mark.usefixtures("_unfrozen")
def test_what_there_is_is_spared_after_an_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "one_more", ModuleType("one_more"))
    before = len(gc.get_objects())
    spare_libraries()
    spared = gc.get_freeze_count()
    assert spared > before / 2
    assert len(gc.get_objects()) < before / 2
    kept = [[number] for number in range(1000)]
    spare_libraries()
    assert gc.get_freeze_count() <= spared
    monkeypatch.setitem(sys.modules, "another", ModuleType("another"))
    spare_libraries()
    assert gc.get_freeze_count() > spared + len(kept) / 2
