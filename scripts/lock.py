"""Pins dependencies with hashes: writes requirements/*.txt from pyproject.toml, by uv.

Run `make lock`: pins that still fit stay. `make lock UPGRADE=--upgrade` moves all to the newest
version. Environments are made of several files, each of which adds what the others lack: that of
developers is of image, test, dev and one of the Sparks.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "requirements"

ALONE = {
    "airflow": ["apache-airflow>=3"],
    "docs": ["mkdocs-material>=9.7,<10"],
    "fuzz": ["atheris<3.1"],
    "supply-chain": ["cyclonedx-bom", "pip-audit", "twine"],
    "tools": ["pip", "setuptools", "uv"],
}
"""Files of environments without prunescope's own dependencies."""

LAYERS = {
    "image": ["audit", "collect", "glue", "hive", "otlp", "s3fs"],
    "test": ["test"],
    "dev": ["dev"],
}
"""Extras of files that each add to those before them; none of them has Spark."""

SPARKS = {"spark-3.5": "pyspark<4", "spark-4.0": "pyspark>=4,<4.1", "spark-4.1": "pyspark>=4.1"}
"""Files of one pin, of which an environment has one."""

PLATFORMS = [
    "sys_platform == 'linux' and platform_machine == 'x86_64'",
    "sys_platform == 'linux' and platform_machine == 'aarch64'",
    "sys_platform == 'darwin' and platform_machine == 'arm64'",
]
"""Platforms whose wheels are listed; most packages have wheels for dozens of others."""

PIN = re.compile(r"(?m)^([a-z0-9-]+)==([^\s;]+)(?: ; ([^\\\n]*[^\\\s]))?")


@dataclass(frozen=True)
class Pin:
    """One version of a package."""

    name: str
    version: str
    marker: str
    """Environments that have the package, or nothing for all of them."""

    def __str__(self) -> str:
        return f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")


def pins(text: str) -> list[Pin]:
    """Pins of a file of requirements."""
    return [Pin(*match.groups(default="")) for match in PIN.finditer(text)]


def locked(names: Iterable[str]) -> list[Pin]:
    """Pins of those of the files that exist."""
    paths = [FOLDER / f"{name}.txt" for name in names]
    return list(chain.from_iterable(pins(path.read_text()) for path in paths if path.exists()))


def uv(*arguments: str | Path, text: str = "") -> None:
    """Runs uv; its errors go to the terminal, and end this program with uv's exit code."""
    command = [sys.executable, "-m", "uv", "--quiet", *arguments]
    if code := subprocess.run(command, input=text, text=True, check=False).returncode:  # noqa: S603
        sys.exit(code)


def resolved(
    wanted: str, extras: Sequence[str], before: list[Pin], fixed: list[Pin], options: Sequence[str]
) -> list[Pin]:
    """Pins of a requirement and of the project with some extras.

    Pins of before stay unless the options have --upgrade or they no longer fit; fixed ones have to.
    """
    with tempfile.TemporaryDirectory() as folder:
        output, constraint = Path(folder) / "pins.txt", Path(folder) / "fixed.txt"
        output.write_text("\n".join(map(str, before)))
        constraint.write_text("\n".join(map(str, fixed)))
        project = [ROOT / "pyproject.toml"] if extras else []
        arguments: list[str | Path] = ["--universal", "--python-version=3.11", "--no-annotate"]
        arguments += ["--fork-strategy=fewest", *options, *project, "-"]
        arguments += [f"--extra={extra}" for extra in extras]
        arguments += ["--constraint", constraint, "--output-file", output]
        uv("pip", "compile", *arguments, text=wanted)
        return pins(output.read_text())


def hashes(wanted: list[Pin]) -> dict[tuple[str, str], list[str]]:
    """Hashes of the files of each name and version that the platforms can install."""
    with tempfile.TemporaryDirectory() as folder:
        quoted = ", ".join(f'"{pin}"' for pin in wanted)
        (Path(folder) / "pyproject.toml").write_text(
            '[project]\nname = "pins"\nversion = "0"\nrequires-python = ">=3.11"\n'
            f"dependencies = [{quoted}]\n[tool.uv]\nenvironments = {PLATFORMS}\n"
        )
        uv("lock", "--project", folder)
        packages = tomllib.loads((Path(folder) / "uv.lock").read_text())["package"]
    return {
        (each["name"], each["version"]): sorted(
            file["hash"]
            for file in chain([each["sdist"]] if "sdist" in each else [], each.get("wheels", []))
        )
        for each in packages
    }


def write(name: str, found: list[Pin]) -> None:
    """Writes one file; pins that no platform needs are left out."""
    of = hashes(found)
    lines = ["# Written by `make lock`, for the platforms that scripts/lock.py lists."]
    for pin in found:
        if files := of.get((pin.name, pin.version)):
            lines += [" \\\n    --hash=".join([str(pin), *files])]
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")


def main(options: Sequence[str]) -> None:
    """Writes all files."""
    for name, wanted in ALONE.items():
        write(name, resolved("\n".join(wanted), [], locked([name]), [], options))

    *_, newest = SPARKS
    extras = sorted(set(chain.from_iterable(LAYERS.values())))
    before = locked([*LAYERS, newest])
    everything = resolved(SPARKS[newest], extras, before, [], options)
    rest = [pin for pin in everything if pin.name != "pyspark"]
    for name, spark in SPARKS.items():
        found = resolved(spark, LAYERS["image"], locked([name]), rest, options)
        write(name, [pin for pin in found if pin.name == "pyspark"])
    for name, of_layer in LAYERS.items():
        needed = {pin.name for pin in resolved("", of_layer, everything, everything, [])}
        write(name, [pin for pin in rest if pin.name in needed])
        rest = [pin for pin in rest if pin.name not in needed]


if __name__ == "__main__":
    main(sys.argv[1:])
