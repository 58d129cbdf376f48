"""The image, built on stand-ins for its bases, or a skip that says what is missing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.image.container import Image, mounted

ROOT = Path(__file__).parents[2]
NAME = "localhost/prunescope:test"


def build(name: str, folder: Path = ROOT) -> None:
    """Builds the image of a folder's project on the bases that are here."""
    command: list[str | Path] = [folder / "scripts" / "build_image.sh", name]
    done = subprocess.run(
        command, env=os.environ | {"PULL": "never"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-4_000:]


@pytest.fixture(scope="session")
def image(require_program: Callable[[str], Path]) -> Iterator[Image]:
    """The image of this project."""
    for program in ("buildah", "mmdebstrap", "unshare", "setpriv", "ip"):
        require_program(program)
    if os.geteuid() != 0:
        pytest.skip("the image is built and run by root only, as there is no daemon that does it")
    subprocess.run([ROOT / "scripts" / "stand_in_bases.sh"], check=True)
    build(NAME)
    with mounted(NAME) as found:
        yield found
