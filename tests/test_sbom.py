"""The bill of materials, where the program that writes it is there: `make sbom` brings it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / ".venv-supply" / "bin" / "cyclonedx-py"
PINS = [ROOT / "requirements" / name for name in ("image.txt", "spark-4.1.txt")]


def test_the_bill_holds_every_pin_of_the_image_and_no_address(tmp_path: Path) -> None:
    if not PROGRAM.exists():
        pytest.skip("make sbom has not been run: it installs cyclonedx-py")
    target = tmp_path / "sbom.json"
    command: list[str | Path] = [
        sys.executable,
        ROOT / "scripts" / "sbom.py",
        PROGRAM,
        target,
        *PINS,
    ]
    subprocess.run(command, check=True, capture_output=True)
    bill = json.loads(target.read_text())
    pins = set(
        re.findall(r"(?m)^([a-z0-9-]+)==([^\s;]+)", "".join(pin.read_text() for pin in PINS))
    )
    assert {(part["name"], part["version"]) for part in bill["components"]} == pins
    assert all(part["externalReferences"][0]["hashes"] for part in bill["components"])
    assert "://" not in json.dumps(bill["components"])  # the project's own page is no index
