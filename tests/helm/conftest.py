"""Helm, and the operators' definitions, or a skip that says what is missing."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.conftest import IN_CI
from tests.helm.chart import Chart
from tests.helm.schemas import download_definitions


@pytest.fixture(scope="session")
def chart(require_program: Callable[[str], Path]) -> Chart:
    """The chart, rendered by the Helm on the PATH."""
    return Chart(require_program("helm"))


@pytest.fixture(scope="session")
def definitions(require_program: Callable[[str], Path]) -> Mapping[str, Path]:
    """Folders of the operators' definitions, by API group."""
    try:
        return download_definitions(require_program("go"))
    except subprocess.CalledProcessError:
        reason = "go cannot download the operators' definitions from its module proxy"
        if IN_CI:
            pytest.fail(f"{reason}, and CI must not skip for that", pytrace=False)
        pytest.skip(reason)
