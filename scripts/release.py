"""Sets the version of a release in every file that has it, and its date in CHANGELOG.md.

Run `make release VERSION=0.2.0`; `python -m scripts.release --check v0.2.0` compares a tag with
these files, as the workflow does that publishes.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHANGELOG = "CHANGELOG.md"
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
IMAGE = re.compile(r"(?<=/prunescope:)()([\d.]+\d)()")
PLACES = {
    "pyproject.toml": [re.compile(r'(?m)^(version = ")(.*)(")$')],
    "helm/prunescope/Chart.yaml": [
        re.compile(r"(?m)^(version: )(.*)()$"),
        re.compile(r'(?m)^(appVersion: ")(.*)(")$'),
    ],
    "helm/prunescope/README.md": [IMAGE],
    "docs/schedule.md": [IMAGE],
}
"""Patterns of versions by file: what is before a version, the version, and what is after it."""

SECTION = re.compile(r"(?m)^## (\S+) \((.*)\)$")
UNRELEASED = "unreleased"


class NotReleasable(Exception):
    """A release that cannot be made, and why."""


def read() -> dict[str, str]:
    """Texts of the files that a release concerns, by path."""
    return {name: (ROOT / name).read_text() for name in (*PLACES, CHANGELOG)}


def newest(changelog: str) -> tuple[re.Match[str], str]:
    """The heading of the first section, and the section's text."""
    headings = list(SECTION.finditer(changelog))
    if not headings:
        raise NotReleasable(f"{CHANGELOG} has no section, such as: ## 0.2.0 ({UNRELEASED})")
    end = headings[1].start() if len(headings) > 1 else len(changelog)
    return headings[0], changelog[headings[0].end() : end]


def numbers(version: str) -> list[int]:
    """The parts of a version, in the order in which versions follow each other."""
    if not VERSION.fullmatch(version):
        raise NotReleasable(f"{version!r} is no version of the form MAJOR.MINOR.PATCH")
    return [int(part) for part in version.split(".")]


def released(texts: Mapping[str, str], version: str, day: dt.date) -> dict[str, str]:
    """The texts of a release; raises NotReleasable for a version that does not follow those
    released, and where nothing is listed as unreleased."""
    wanted = numbers(version)
    heading, section = newest(texts[CHANGELOG])
    if heading[2] != UNRELEASED or not re.search(r"(?m)^- ", section):
        raise NotReleasable(f"{CHANGELOG} lists nothing as {UNRELEASED}")
    earlier = [found[1] for found in SECTION.finditer(texts[CHANGELOG])][1:]
    if any(wanted <= numbers(each) for each in earlier):
        raise NotReleasable(f"{version} does not follow {max(earlier, key=numbers)}")
    found = dict(texts)
    for name, patterns in PLACES.items():
        for pattern in patterns:
            found[name], count = pattern.subn(rf"\g<1>{version}\g<3>", found[name])
            if not count:
                raise NotReleasable(f"{name} has no version where one was expected")
    before, after = texts[CHANGELOG][: heading.start()], texts[CHANGELOG][heading.end() :]
    return found | {CHANGELOG: f"{before}## {version} ({day}){after}"}


def problems(texts: Mapping[str, str], tag: str) -> list[str]:
    """Places whose version is not that of a tag, and a missing date in the changelog."""
    found = [
        f"{name} has {match[2]}, and the tag is {tag}"
        for name, patterns in PLACES.items()
        for pattern in patterns
        for match in pattern.finditer(texts[name])
        if tag != f"v{match[2]}"
    ]
    heading, _ = newest(texts[CHANGELOG])
    if tag != f"v{heading[1]}" or heading[2] == UNRELEASED:
        found.append(f"{CHANGELOG} begins with {heading[1]} ({heading[2]}), and the tag is {tag}")
    return found


def main() -> None:
    """Reads the command line, and writes the files or compares them."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("version", nargs="?", help="MAJOR.MINOR.PATCH")
    what.add_argument("--check", metavar="TAG", help="compare a tag with the files")
    arguments = parser.parse_args()
    try:
        if arguments.check:
            if found := problems(read(), arguments.check):
                sys.exit("\n".join(found))
            return
        today = dt.datetime.now(dt.UTC).date()
        for name, text in released(read(), arguments.version, today).items():
            (ROOT / name).write_text(text)
    except NotReleasable as error:
        sys.exit(f"Nothing was changed: {error}")


if __name__ == "__main__":
    main()
