"""What of configured addresses is shown."""

from __future__ import annotations

import pytest

from collectors.addresses import address_shown
from tests.collectors.addresses_tried import NOT_SHOWN, SHOWN


@pytest.mark.parametrize("address", NOT_SHOWN)
def test_nothing_is_shown_of_what_may_hold_a_password_anywhere(address: str) -> None:
    assert address_shown(address) is None


@pytest.mark.parametrize(("address", "expected"), SHOWN.items())
def test_of_well_formed_addresses_all_but_credentials_is_shown(address: str, expected: str) -> None:
    assert address_shown(address) == expected
