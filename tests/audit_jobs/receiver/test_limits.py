"""What the receiver takes at once."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.receiver.limits import REFUSALS, Bucket, Refused, Room


@pytest.mark.parametrize(
    ("rate", "at_once"),
    [
        pytest.param(3.0, 3, id="as many as in a second"),
        pytest.param(0.001, 1, id="at least one"),
    ],
)
def test_a_bucket_holds_a_seconds_requests(rate: float, at_once: int) -> None:
    bucket = Bucket(rate)
    assert [bucket.take() for _ in range(at_once + 1)] == [True] * at_once + [False]


def test_room_is_shared_and_given_back() -> None:
    room = Room(10)
    with room.held() as take:
        take(6)
        with room.held() as take_more:
            take_more(4)
            assert not room.is_free
            with pytest.raises(Refused, match="full"):
                take_more(1)
            assert (room.taken, room.requests) == (10, 2)
        assert (room.taken, room.requests) == (6, 1)
    assert (room.taken, room.requests) == (0, 0)


def test_room_is_given_back_by_a_request_that_fails() -> None:
    room = Room(10)

    def fail() -> None:
        with room.held() as take:
            take(5)
            take(6)

    with pytest.raises(Refused):
        fail()
    assert room.taken == 0


@pytest.mark.parametrize("outcome", REFUSALS)
def test_only_what_may_succeed_later_is_worth_a_retry(outcome: str) -> None:
    refused = Refused(outcome)
    assert ("Retry-After" in refused.headers) == (refused.status in (429, 503))
