"""The chart that releases are upgraded from: as it was before it was last changed."""

from __future__ import annotations

import io
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import yaml

from tests.helm.chart import CHART

_ROOT = CHART.parents[1]
_VERSION = "0.0.1"


@dataclass(frozen=True, slots=True)
class Previous:
    """A chart under a version of its own, so that labels tell it apart, and where it is from."""

    folder: Path
    told: str
    version: str = _VERSION

    def values(self, values: Path) -> Path:
        """Its own file of values of that name; the one that is given where it had none."""
        own = self.folder / "ci" / values.name
        return own if own.exists() else values


def previous_chart(folder: Path) -> Previous:
    """The newest release whose chart was another; as long as there is none, the newest commit. The
    same chart where there is no history: what an upgrade then meets is its labels."""
    target = folder / "previous"
    for commit in (*_releases(), *_commits()):
        if _is_other(commit):
            _unpack(commit, target)
            [told] = _git("log", "-1", "--format=%h (%cs)", commit)
            break
    else:
        shutil.copytree(CHART, target)
        told = "this version, under an older number: THERE IS NO HISTORY of it here"
    chart = yaml.safe_load((target / "Chart.yaml").read_text())
    chart |= {"version": _VERSION, "appVersion": _VERSION}
    (target / "Chart.yaml").write_text(yaml.safe_dump(chart))
    return Previous(target, told)


_GIT = ("git", "-C", str(_ROOT))


def _releases() -> list[str]:
    return _git("tag", "--list", "v*", "--merged", "--sort=-version:refname")


def _commits() -> list[str]:
    return _git("log", "--format=%H", "--", str(CHART))


def _is_other(commit: str) -> bool:
    """Whether a commit's chart is not the one that is here."""
    command = [*_GIT, "diff", "--quiet", commit, "--", str(CHART)]
    return subprocess.run(command, check=False).returncode != 0


def _git(*arguments: str) -> list[str]:
    """The lines that git prints; none where there is no repository."""
    done = subprocess.run([*_GIT, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def _unpack(commit: str, target: Path) -> None:
    inside = CHART.relative_to(_ROOT)
    archive = subprocess.run(
        [*_GIT, "archive", "--format=zip", f"{commit}:{inside}"], capture_output=True, check=True
    ).stdout
    with ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(target)
