"""What a module adds is in the list of its kind: nothing else tells of a line that is missing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules, walk_packages
from types import ModuleType

import pytest

import prunescope.audit_jobs.findings.causes
import prunescope.audit_jobs.jobs.sinks
import prunescope.audit_jobs.sources
import prunescope.collectors.sql.planners
from prunescope.audit_jobs.findings.catalogue import CAUSES
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.sources.registry import SOURCES
from prunescope.audit_jobs.sources.source import Source
from prunescope.collectors.sql.planners.profile import Profile
from prunescope.collectors.sql.planners.registry import PROFILES


@pytest.mark.parametrize(
    ("package", "kind", "listed"),
    [
        pytest.param(prunescope.audit_jobs.findings.causes, Cause, CAUSES, id="causes"),
        pytest.param(prunescope.audit_jobs.sources, Source, SOURCES, id="sources"),
        pytest.param(prunescope.collectors.sql.planners, Profile, PROFILES, id="profiles"),
    ],
)
def test_what_a_module_adds_is_in_the_list(
    package: ModuleType, kind: type, listed: Sequence[object]
) -> None:
    known = {id(one) for one in listed}
    forgotten = [
        f"{module}: {name}"
        for module in (found.name for found in iter_modules(package.__path__))
        for name, value in vars(import_module(f"{package.__name__}.{module}")).items()
        if isinstance(value, kind) and not name.startswith("_") and id(value) not in known
    ]
    assert forgotten == []


@pytest.mark.slow
def test_every_sink_is_told_of_runs() -> None:
    """Nor does anything else tell of a section of the configuration that nothing follows from."""
    modules = walk_packages(prunescope.audit_jobs.__path__, f"{prunescope.audit_jobs.__name__}.")
    sinks = {
        value
        for module in (import_module(found.name) for found in modules)
        for value in vars(module).values()
        if isinstance(value, type) and hasattr(value, "publish") and hasattr(value, "failed")
    }
    listed = list(vars(prunescope.audit_jobs.jobs.sinks).values())
    assert [sink.__name__ for sink in sinks if sink not in listed] == []
