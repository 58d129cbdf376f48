"""Text of others is plain where it is printed."""

from __future__ import annotations

import json
import pickle
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.errors import StorageError, TableError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.safe_text import plain, plain_json, plain_lines, without_credentials

# Unicode's categories of controls, line and paragraph separators, and surrogates.
_MISLEADING = {"Cc", "Zl", "Zp", "Cs"}
_BIDIRECTIONAL = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}

texts = st.text(st.characters() | st.sampled_from("\x1b\x9b\x07\r\n\t\x7f\u202e\u2066\u2028\ud800"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("sales.orders", "sales.orders", id="plain"),
        pytest.param("größe 量 😀", "größe 量 😀", id="other scripts"),
        pytest.param("a\x1b[2Jb", r"a\u001b[2Jb", id="escape"),
        pytest.param("a\x9b2J", r"a\u009b2J", id="C1"),
        pytest.param("a\rb\nc\td", r"a\u000db\u000ac\u0009d", id="line ends"),
        pytest.param("a\u202eb\u2066c", r"a\u202eb\u2066c", id="bidirectional"),
        pytest.param("a\u2028b", r"a\u2028b", id="line separator"),
        pytest.param("a\ud800b", r"a\ud800b", id="half a character"),
    ],
)
def test_what_misleads_is_written_out(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("s3://KEY:SECRET@b/k", "s3://b/k", id="key and secret"),
        pytest.param("s3://KEY:SE/C+RET=@b/k", "s3://b/k", id="secret with slashes"),
        pytest.param("s3://KEY:SE@CR@ET@b/k", "s3://b/k", id="secret with @"),
        pytest.param("s3://KEY@b/k", "s3://b/k", id="key"),
        pytest.param("read s3://K:S@b/k, s3://K:S@c/k", "read s3://b/k, s3://c/k", id="several"),
        pytest.param(
            "postgresql+psycopg2://u:p@h:5432/d", "postgresql+psycopg2://h:5432/d", id="SQL"
        ),
        pytest.param("https://h/k?X-Amz-Signature=a&b=c 403", "https://h/k 403", id="signed"),
        pytest.param("http://h:8080/a@b", "http://h:8080/a@b", id="port and path"),
        pytest.param("s3://b/a@b:c/d", "s3://b/a@b:c/d", id="path"),
        pytest.param("s3://b/log?.json", "s3://b/log?.json", id="pattern"),
        pytest.param("abfss://box@account/k", "abfss://box@account/k", id="container"),
        pytest.param("abfss://u:p@account/k", "abfss://account/k", id="container's secret"),
        pytest.param("/local/a:b@c", "/local/a:b@c", id="local"),
    ],
)
def test_addresses_have_no_credentials(text: str, expected: str) -> None:
    assert without_credentials(text) == expected


@given(texts)
def test_plain_text_is_one_line_that_can_be_encoded_and_changes_no_more(text: str) -> None:
    shown = plain(text)
    shown.encode()
    assert len(shown.splitlines()) <= 1
    assert plain(shown) == plain_lines(shown) == shown
    assert not [c for c in shown if unicodedata.category(c) in _MISLEADING]
    assert not [c for c in shown if unicodedata.bidirectional(c) in _BIDIRECTIONAL]


@given(texts)
def test_lines_stay_lines(text: str) -> None:
    without_tabs = text.replace("\t", " ")
    assert plain_lines(without_tabs).split("\n") == list(map(plain, without_tabs.split("\n")))


@given(st.recursive(texts, lambda inner: st.dictionaries(texts, inner) | st.lists(inner)))
def test_json_reads_back_as_it_was(document: object) -> None:
    printed = plain_json(document)
    assert json.loads(printed) == document
    assert plain(printed) == printed


def test_errors_tell_names_plainly_also_after_a_journey() -> None:
    error = pickle.loads(pickle.dumps(TableError("table \x1b]0;x\x07\nprunescope: all is well")))  # noqa: S301
    assert str(error) == r"table \u001b]0;x\u0007\u000aprunescope: all is well"


def test_why_a_storage_failed_is_plain_also_after_a_journey() -> None:
    """It has a code of its own, which is no reason to quote addresses as they are."""
    message = "s3://KEY:SECRET@b/k\x1b[2J?X-Amz-Signature=SIGNED cannot be read"
    error = pickle.loads(pickle.dumps(StorageError(message, Outcome.ACCESS_DENIED)))  # noqa: S301
    assert error.code == "access_denied"
    assert str(error) == r"s3://b/k\u001b[2J cannot be read"


@pytest.mark.parametrize("part", ["/long", "://a:", "\x1b", "://a@"])
def test_a_message_is_short_whatever_it_is_about(part: str) -> None:
    """Without taking long: each message is stored with each query that it is the outcome of."""
    message = str(TableError(f"manifest s3://k:SECRET@b{part * 1_000_000} does not exist"))
    assert "SECRET" not in message
    assert message.startswith("manifest s3://b")
    assert message.endswith("does not exist")
    assert len(message) < 15_000
