"""Credentials that a catalog hands out are asked for again before they expire, and seldom."""

from __future__ import annotations

import pickle
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from prunescope.collectors.storage import vended
from prunescope.collectors.storage.vended import Vended

UNTIL = "s3.session-token-expires-at-ms"
ASKED: list[str] = []
ANSWERS: dict[str, list[Mapping[str, Any]]] = {}


@dataclass(frozen=True)
class Asking:
    """Hands out one of the answers after the other, and fails when there is none."""

    table: str

    def __call__(self) -> Mapping[str, Any]:
        ASKED.append(self.table)
        return ANSWERS[self.table].pop(0)


def lasting(seconds: float, key: str = "k", name: str = UNTIL) -> dict[str, str]:
    return {"s3.access-key-id": key, name: str(int((time.time() + seconds) * 1000))}


@pytest.fixture(autouse=True)
def nothing_asked() -> None:
    ASKED.clear()
    ANSWERS.clear()


@pytest.mark.parametrize(
    ("seconds", "name", "asked"),
    [
        pytest.param(3600, UNTIL, 0, id="an-hour"),
        pytest.param(30, UNTIL, 1, id="seconds"),
        pytest.param(-5, UNTIL, 1, id="expired"),
        pytest.param(-5, "gcs.oauth2.token-expires-at", 1, id="of-google"),
        pytest.param(-5, "adls.sas-token-expires-at-ms.account", 1, id="of-azure"),
    ],
)
def test_others_are_asked_for_before_they_expire(seconds: float, name: str, asked: int) -> None:
    ANSWERS["t"] = [lasting(3600, "new")]
    known = Vended(Asking("t"), lasting(seconds, "old", name))
    expected = "new" if asked else "old"
    assert [known.properties()["s3.access-key-id"] for _ in range(3)] == [expected] * 3
    assert len(ASKED) == asked


@pytest.mark.parametrize("said", ["", "soon", "-1", "1.5"])
def test_when_nobody_can_read_is_never(said: str) -> None:
    known = Vended(Asking("t"), {UNTIL: said})
    assert known.properties() == {UNTIL: said}
    assert not known.have_expired
    assert ASKED == []


def test_what_is_refused_is_asked_for_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    ANSWERS["t"] = [{"k": "2"}, {"k": "2"}]
    known = Vended(Asking("t"), {"k": "1"})
    first = known.properties()
    assert known.renew(first)
    assert known.renew(first)  # of a reader that began before: there are others by now
    assert not known.renew(known.properties())
    assert len(ASKED) == 1
    monkeypatch.setattr(vended, "LEAST", 0.0)
    assert not known.renew(known.properties())  # the same again
    assert not known.renew(known.properties())  # the catalog fails
    assert known.properties() == {"k": "2"}
    assert len(ASKED) == 3


def test_tasks_of_a_process_share_what_one_of_them_asked_for() -> None:
    ANSWERS["shared"] = [lasting(3600, "new")]
    known = Vended(Asking("shared"), lasting(-5, "old"))
    sent = pickle.dumps(known)
    tasks = [pickle.loads(sent) for _ in range(3)]  # noqa: S301  # of our own
    assert {task.properties()["s3.access-key-id"] for task in tasks} == {"new"}
    assert ASKED == ["shared"]
    later = pickle.dumps(Vended(Asking("shared"), lasting(7200, "newest")))
    assert pickle.loads(later).properties()["s3.access-key-id"] == "newest"  # noqa: S301
    assert ASKED == ["shared"]
