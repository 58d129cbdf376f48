"""A release is one command, and a workflow that publishes what a tag names."""

from __future__ import annotations

import datetime as dt
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts import release

DAY = dt.date(2031, 2, 3)
WORKFLOW = release.ROOT / ".github" / "workflows" / "release.yml"
TEXT = WORKFLOW.read_text()
JOBS: dict[str, dict[str, Any]] = yaml.safe_load(TEXT)["jobs"]
LISTED = "## 0.9.0 (unreleased)\n\n### Added\n\n- Something.\n"


def texts(changelog: str = f"# Changelog\n\n{LISTED}") -> dict[str, str]:
    """The project's files, with another changelog."""
    return release.read() | {release.CHANGELOG: changelog}


def test_a_release_changes_versions_and_a_heading() -> None:
    before = texts()
    after = release.released(before, "7.8.9", DAY)
    changed = [
        (name, new)
        for name, text in before.items()
        for old, new in zip(text.splitlines(), after[name].splitlines(), strict=True)
        if old != new
    ]
    assert {name for name, _ in changed} == set(before)
    assert all("7.8.9" in line for _, line in changed)
    assert "## 7.8.9 (2031-02-03)\n\n### Added" in after[release.CHANGELOG]
    assert release.problems(after, "v7.8.9") == []


@pytest.mark.parametrize(
    ("changelog", "version", "why"),
    [
        pytest.param(LISTED, "1.0", "no version of the form", id="two-numbers"),
        pytest.param(LISTED, "v1.0.0", "no version of the form", id="a-tag"),
        pytest.param("# Changelog\n", "1.0.0", "no section", id="no-section"),
        pytest.param("## 0.9.0 (unreleased)\n", "1.0.0", "lists nothing", id="an-empty-section"),
        pytest.param(
            "## 0.9.0 (unreleased)\n\n## 0.8.0 (2030-01-01)\n- Old.\n",
            "1.0.0",
            "lists nothing",
            id="entries-of-an-earlier-section",
        ),
        pytest.param(
            LISTED.replace("unreleased", "2030-01-01"), "1.0.0", "lists nothing", id="all-released"
        ),
        pytest.param(
            f"{LISTED}\n## 0.10.0 (2030-01-01)\n", "0.9.0", "does not follow 0.10.0", id="older"
        ),
        pytest.param(
            f"{LISTED}\n## 0.9.0 (2030-01-01)\n", "0.9.0", "does not follow 0.9.0", id="released"
        ),
    ],
)
def test_what_cannot_be_released_is_refused(changelog: str, version: str, why: str) -> None:
    with pytest.raises(release.NotReleasable, match=why):
        release.released(texts(changelog), version, DAY)


@pytest.mark.parametrize("name", [*release.PLACES, release.CHANGELOG])
def test_a_tag_of_another_version_is_told_of_each_file(name: str) -> None:
    before, after = texts(), release.released(texts(), "7.8.9", DAY)
    found = release.problems(after | {name: before[name]}, "v7.8.9")
    assert found
    assert all(problem.startswith(f"{name} ") for problem in found)


def test_the_commands_work_on_a_copy(tmp_path: Path) -> None:
    for name in ("scripts/release.py", *texts()):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(release.ROOT / name, tmp_path / name)
    (tmp_path / release.CHANGELOG).write_text(LISTED)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = [
            sys.executable,
            tmp_path / "scripts" / "release.py",
            *arguments,
        ]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert "CHANGELOG.md begins with 0.9.0 (unreleased)" in run("--check", "v7.8.9").stderr
    assert run("7.8.9").returncode == 0
    assert run("--check", "v7.8.9").returncode == 0
    again = run("7.9.0")
    assert (again.returncode, again.stderr[:20]) == (1, "Nothing was changed:")


def steps(job: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = JOBS[job]["steps"]
    return found


def test_only_a_tag_of_a_version_publishes() -> None:
    trigger = yaml.safe_load(TEXT)[True]  # YAML 1.1 reads the key "on" as a boolean
    assert trigger == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}}


def test_nothing_is_published_before_the_tag_is_checked_and_the_wheel_has_run() -> None:
    runs = [step["run"] for step in steps("build") if "run" in step]
    assert runs[-1] == "make dist"
    assert 'python scripts/release.py --check "$GITHUB_REF_NAME"' in runs[:-1]
    for name in JOBS.keys() - {"build"}:
        assert JOBS[name]["needs"] in ("build", "image")
        assert JOBS[name]["environment"] == "release"


def test_jobs_may_do_what_their_steps_need_and_no_more() -> None:
    assert yaml.safe_load(TEXT)["permissions"] == {}
    for name, job in JOBS.items():
        used = {step["uses"].split("@")[0] for step in job["steps"] if "uses" in step}
        needed = {}
        if "actions/checkout" in used:
            needed["contents"] = "read"
        if "docker/login-action" in used:
            needed["packages"] = "write"
        if "actions/attest-build-provenance" in used:
            needed |= {"id-token": "write", "attestations": "write"}
        if "pypa/gh-action-pypi-publish" in used:
            needed["id-token"] = "write"
        assert job["permissions"] == needed, name


def test_nothing_is_published_without_an_attestation() -> None:
    [upload] = [step for step in steps("packages") if "pypi-publish" in step["uses"]]
    assert upload["with"] == {"attestations": True}
    for job in ("image", "chart"):
        *_, attest = steps(job)
        assert attest["uses"].startswith("actions/attest-build-provenance@")
        assert attest["with"]["subject-digest"] == "${{ steps.push.outputs.digest }}"
        assert attest["with"]["push-to-registry"] is True
        assert "push" in {step.get("id") for step in steps(job)}


def test_no_secret_is_kept_and_actions_are_pinned_by_commit() -> None:
    assert "secrets." not in TEXT
    used = re.findall(r"(?m)uses: (.*)$", TEXT)
    pinned = re.compile(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
    assert [each for each in used if not pinned.fullmatch(each)] == []
    checkouts = [
        step["with"]
        for name in JOBS
        for step in steps(name)
        if step.get("uses", "").startswith("actions/checkout@")
    ]
    assert checkouts == [{"persist-credentials": False}] * 3
