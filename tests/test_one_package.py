"""The wheel has one name, so that it stands beside packages of the names that its parts have."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ("prunescope", "audit_jobs", "collectors", "dashboards", "pyproject.toml", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy(ROOT / name, source)
    options = ("-q", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist")
    build = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", *options, ".")
    subprocess.run(build, cwd=source, check=True)
    (built,) = (source / "dist").iterdir()
    return built


def test_the_wheel_has_one_name(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"prunescope"}
    assert {"py.typed", "LICENSE"} <= {Path(name).name for name in names}
    assert any(name.startswith("prunescope/dashboards/generated/") for name in names)


def test_it_works_beside_packages_of_the_same_names(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with ZipFile(wheel) as archive:
        archive.extractall(installed)
    for name in ("audit_jobs", "collectors", "dashboards"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise RuntimeError('another {name}')\n")
    done = subprocess.run(
        [sys.executable, "-c", "from prunescope.audit_jobs.cli import main; main()", "--version"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ", version " in done.stdout
