"""`make test-changed` runs what a change may concern."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from scripts.changed_tests import concerned_by

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("changed", "among", "not_among"),
    [
        pytest.param(
            "audit_jobs/pruning/algebra.py",
            "tests/audit_jobs/pruning/test_algebra.py",
            "tests/collectors/predicates/test_bind.py",
            id="a module: along imports",
        ),
        pytest.param(
            "tests/otlp.py",
            "tests/integration/test_telemetry.py",
            "tests/audit_jobs/pruning/test_algebra.py",
            id="what tests share",
        ),
        pytest.param(
            "tests/collectors/predicates/test_bind.py",
            "tests/collectors/predicates/test_bind.py",
            "tests/audit_jobs/pruning/test_algebra.py",
            id="a test: itself",
        ),
        pytest.param(
            "tests/integration/conftest.py",
            "tests/integration/test_audit.py",
            "tests/audit_jobs/pruning/test_algebra.py",
            id="fixtures: their folder",
        ),
        pytest.param(
            "audit_jobs/report/assets/report.css",
            "tests/audit_jobs/report/test_page.py",
            "tests/audit_jobs/pruning/test_algebra.py",
            id="a file of a package",
        ),
        pytest.param(
            "helm/values.yaml",
            "tests/helm/test_objects.py",
            "tests/audit_jobs/pruning/test_algebra.py",
            id="a file of the chart",
        ),
        pytest.param(
            "README.md",
            "tests/test_documented_files.py",
            "tests/audit_jobs/pruning/test_algebra.py",
            id="a page",
        ),
    ],
)
@pytest.mark.slow
def test_a_change_is_followed_to_its_tests(changed: str, among: str, not_among: str) -> None:
    found = concerned_by([PurePosixPath(changed)], ROOT)
    assert among in found
    assert not_among not in found
    assert all((ROOT / path).is_file() for path in found)


@pytest.mark.slow(minutes=0.1)
def test_no_change_concerns_no_test() -> None:
    assert concerned_by([], ROOT) == []
