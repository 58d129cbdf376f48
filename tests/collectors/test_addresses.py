"""What of configured addresses is shown."""

from __future__ import annotations

import pytest

from prunescope.collectors.addresses import address_shown, leads_elsewhere
from tests.collectors.addresses_tried import NOT_SHOWN, SHOWN


@pytest.mark.parametrize("address", NOT_SHOWN)
def test_nothing_is_shown_of_what_may_hold_a_password_anywhere(address: str) -> None:
    assert address_shown(address) is None


@pytest.mark.parametrize(("address", "expected"), SHOWN.items())
def test_of_well_formed_addresses_all_but_credentials_is_shown(address: str, expected: str) -> None:
    assert address_shown(address) == expected


@pytest.mark.parametrize(
    "name",
    [
        *(".", "..", "%2e", "%2E%2e", ".%2E", "%252e%252e", " .. ", "", "  "),
        *("a/../b", "../b", "a/..", r"a\..", "a%2f..%2Fb", "a%5c%2e%2e", "./b"),
        *("a\x1fb", "a%1fb", "a\x00", "a\nb", "a\u2028"),
    ],
)
def test_what_leads_elsewhere_is_no_name(name: str) -> None:
    assert leads_elsewhere(name)


@pytest.mark.parametrize(
    "name",
    ["orders", "Orders 2024", "a.b", "a..b", "...", "…", "a%20b", "100%", "größe", "a/b", "-"],
)
def test_other_names_lead_nowhere_else(name: str) -> None:
    assert not leads_elsewhere(name)
