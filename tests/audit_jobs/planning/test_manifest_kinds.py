from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from audit_jobs.planning.manifest_kinds import any_of_each


@given(st.data())
def test_a_manifest_is_kept_where_any_of_its_listings_is(data: st.DataObject) -> None:
    listed = data.draw(st.integers(1, 6))
    kept = np.array(data.draw(st.lists(st.lists(st.booleans(), min_size=listed, max_size=listed))))
    kept = kept.reshape(-1, listed).astype(np.bool_)
    some = st.lists(st.integers(0, listed - 1), min_size=1, max_size=3, unique=True).map(tuple)
    numbers = data.draw(st.lists(some, min_size=1, max_size=4))
    found = any_of_each(kept, numbers)
    assert found.tolist() == [[any(row[n] for n in own) for own in numbers] for row in kept]
