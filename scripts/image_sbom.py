"""Writes what is in an image (CycloneDX): Debian's packages, Java, and Python's packages.

Usage: image_sbom.py ROOT TARGET, where ROOT is the image's root file system, mounted or unpacked.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

_VENV = "opt/prunescope/lib/python3.11/site-packages"
_JAVA = "opt/java/openjdk/release"
_DPKG = "var/lib/dpkg/status"


def bill(root: Path) -> dict[str, Any]:
    """The bill of materials of a root file system."""
    components = [*_debian(root / _DPKG), *_java(root / _JAVA), *_python(root / _VENV)]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "components": sorted(components, key=lambda each: str(each["purl"])),
    }


def _python(folder: Path) -> Iterator[dict[str, str]]:
    for each in distributions(path=[str(folder)]):
        name = re.sub(r"[-_.]+", "-", each.name).lower()
        yield _component(name, each.version, f"pkg:pypi/{name}@{each.version}")


def _java(release: Path) -> Iterator[dict[str, str]]:
    told = dict(re.findall(r'(?m)^(\w+)="(.*)"$', release.read_text()))
    version = told["JAVA_VERSION"]
    yield _component("openjdk", version, f"pkg:generic/openjdk@{version}")


def _debian(status: Path) -> Iterator[dict[str, str]]:
    for paragraph in status.read_text().strip().split("\n\n"):
        told = dict(re.findall(r"(?m)^(Package|Version|Status): (.*)$", paragraph))
        if told["Status"].endswith(" installed"):
            name, version = told["Package"], told["Version"]
            yield _component(name, version, f"pkg:deb/debian/{name}@{version}")


def _component(name: str, version: str, purl: str) -> dict[str, str]:
    return {"type": "library", "name": name, "version": version, "purl": purl}


if __name__ == "__main__":
    found = bill(Path(sys.argv[1]))
    Path(sys.argv[2]).write_text(json.dumps(found, indent=1) + "\n")
    print(f"{sys.argv[2]}: {len(found['components'])} components")  # noqa: T201
