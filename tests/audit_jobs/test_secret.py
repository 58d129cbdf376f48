"""The secret by which hashes are keyed: nobody else reads it, and nothing shows it."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from prunescope.audit_jobs.config import parse_config
from prunescope.audit_jobs.doctor.model import State
from prunescope.audit_jobs.doctor.publishing import check_secret
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.secret import VARIABLE, Secret, find_secret, make_secret, random_secret

LONG = "0123456789abcdef" * 4


@pytest.fixture(autouse=True)
def no_secret_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_a_secret_that_is_made_can_be_found_and_is_never_made_again(tmp_path: Path) -> None:
    file = tmp_path / "audit.secret"
    before = os.umask(0)
    try:
        make_secret(file)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o600
    made = find_secret(file)
    assert made is not None
    assert len(file.read_text().strip()) == 64
    make_secret(file)
    assert find_secret(file) == made


def test_no_link_that_somebody_planted_is_followed(tmp_path: Path) -> None:
    (tmp_path / "audit.secret").symlink_to(tmp_path / "elsewhere")
    make_secret(tmp_path / "audit.secret")
    assert not (tmp_path / "elsewhere").exists()


def test_the_environment_counts_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_secret(tmp_path / "s")
    monkeypatch.setenv(VARIABLE, f" {LONG}\n")
    assert find_secret(tmp_path / "s") == find_secret(None) == Secret(LONG.encode())


def test_without_one_there_is_none() -> None:
    assert find_secret(None) is None


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o601])
def test_a_secret_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "s"
    make_secret(file)
    file.chmod(mode)
    with pytest.raises(BadConfiguration, match=r"can be read by others: chmod 600 .*/s"):
        find_secret(file)


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, "there is no secret_file"), (b"short\n", "fewer than 32"), (b"\xff" * 64, "Unicode")],
)
def test_one_that_cannot_be_used_is_refused(
    tmp_path: Path, content: bytes | None, told: str
) -> None:
    file = tmp_path / "s"
    if content is not None:
        file.touch(0o600)
        file.write_bytes(content)
    with pytest.raises(BadConfiguration, match=told) as refused:
        find_secret(file)
    assert "short" not in str(refused.value)


def test_nothing_shows_a_secret_and_tasks_get_it() -> None:
    secret = Secret(LONG.encode())
    assert LONG not in f"{secret!r} {secret}"
    assert pickle.loads(pickle.dumps(secret)) == secret  # noqa: S301  # our own


def test_keys_are_those_of_a_secret_and_of_an_identity() -> None:
    one, other = Secret(LONG.encode()), random_secret()
    digests = [one.digest("a"), one.digest("b"), one.digest("a", None), other.digest("a")]
    assert len({*digests}) == len(digests)
    assert one.digest("\ud800", 1) == one.digest("\ud800", 1)


def test_the_doctor_says_how_to_make_one(tmp_path: Path) -> None:
    lines = ["catalogs: {lake: {}}", "audit: {catalog: lake}"]
    lines.append("sources: [{type: trino_events, paths: [/logs]}]")
    text = "\n".join(lines)
    missing = check_secret(parse_config(text, "test"))
    assert missing.state is State.WARNING
    assert "head -c 32" in (missing.remedy or "")
    named = parse_config(f"{text}\nsecret_file: {tmp_path}/s\n", "test")
    assert check_secret(named).state is State.FAILED
    make_secret(tmp_path / "s")
    assert check_secret(named).state is State.OK
