"""Writes the software bill of materials of the image (CycloneDX): what it holds beside Python.

Run `make sbom`. The pins of requirements/ are its source, so it is the same on every machine, and
has no address that packages are fetched from: each has its purl, and the hashes of its files.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def bill(cyclonedx: Path, pins: str, project: Path) -> dict[str, Any]:
    """The bill of pins, with the project as its main component."""
    options = ["--pyproject", str(project), "--index-url", "", "--short-PURLs"]
    command = [str(cyclonedx), "requirements", "-", *options, "--output-reproducible"]
    done = subprocess.run(  # noqa: S603
        command, input=pins, capture_output=True, text=True, check=True
    )
    document: dict[str, Any] = json.loads(done.stdout)
    document["metadata"].pop("tools")  # they tell of their makers' pages
    for component in document["components"]:
        component.pop("description")  # the line of the file that it comes from
        for reference in component["externalReferences"]:
            reference["url"] = component["purl"]
    return document


if __name__ == "__main__":
    tool, target, *sources = map(Path, sys.argv[1:])
    pinned = "".join(source.read_text() for source in sources)
    found = bill(tool, pinned, Path(__file__).parent.parent / "pyproject.toml")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    print(f"{target}: {len(found['components'])} components")  # noqa: T201
