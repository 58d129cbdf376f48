"""Programs of others in command lines of the documentation, and what can tell that these take what
they are given."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.conftest import IN_CI
from tests.test_project import EXTRAS, PROJECT

BY_HELP = {
    "cat": 0,
    "cp": 0,
    "base64": 0,
    "head": 0,
    "helm": 1,
    "install": 0,
    "journalctl": 0,
    "pip": 1,
    "spark-submit": 0,
    "systemctl": 0,
    "tr": 0,
    "useradd": 0,
    "uvx": 0,
    "xargs": 0,
}
"""Programs that tell their options, and how many words of a line have help of their own."""
OF_THE_SHELL = {".", "eval", "export"}
UNJUDGED = {
    "aws": "nothing here installs it",
    "dbt": "nothing here installs it",
    "docker": "nothing here installs it: buildah is what builds images",
    "gcloud": "nothing here installs it; tests/test_documented_settings.py knows the settings",
    "kubectl": "nothing here installs it; tests/test_documented_chart.py knows the objects",
    "venv-pack": "nothing here installs it",
    "yum": "nothing here installs it",
    "pipx": "nothing here installs it; it is asked for what pip is",
}
"""Programs whose options nothing here can judge, and why."""
_VERBS = {"systemctl"}
"""Programs whose help has the words that they may begin with."""
_OPTION = re.compile(r"-[a-zA-Z0-9]|--[a-z][\w-]*")


def judge(words: list[str]) -> None:
    """Fails unless a program has the options, and the subcommand, that a line gives it. Where it
    is not there, the test skips, and fails in CI."""
    program, *arguments = words
    if program in UNJUDGED or program in OF_THE_SHELL:
        return
    assert program in BY_HELP, f"nothing looks at {program}"
    count = BY_HELP[program]
    told = _help(program, *arguments[:count])
    given = [word.partition("=")[0] for word in arguments[count:]]
    asked = [word for word in given if _OPTION.fullmatch(word)]
    asked += [word for word in given[:1] if program in _VERBS]
    unknown = [word for word in asked if not re.search(rf"(?<![\w-]){word}(?![\w-])", told)]
    assert unknown == [], f"{program} has no {unknown}"


def judge_requirements(words: list[str]) -> None:
    """Fails where an extra of ours is asked for that there is not."""
    for word in words:
        ours = word.replace(".", PROJECT["name"], 1) if word.startswith(".[") else word
        if ours.startswith(f"{PROJECT['name']}["):
            assert Requirement(ours).extras <= set(EXTRAS), word


@cache
def _help(*words: str) -> str:
    name, *subcommand = words
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}:/usr/sbin"
    program = shutil.which(name, path=path)
    if program is None:
        missing = pytest.fail if IN_CI else pytest.skip
        missing(f"the program {name} is not on the PATH")
    told = subprocess.run(
        [program, *subcommand, "--help"],
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "200"},
        check=False,
    )
    return told.stdout + told.stderr
