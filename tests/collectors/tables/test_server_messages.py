"""What is told of a server's own words: enough to act on, and no credential."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from requests import HTTPError, Response

from prunescope.collectors.tables.server_messages import said_by

PROPERTIES = {
    "uri": "https://catalog.example.com/iceberg",
    "warehouse": "warehouse-of-sales",
    "credential": "reader:correct-horse",
    "s3.secret-access-key": "battery-staple",
    "header.X-Tenant-Key": "stapler",
    "s3.region": "us-east-1",
}
JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl"


def answer(body: Any) -> HTTPError:
    response = Response()
    response.status_code = 500
    response._content = body if isinstance(body, bytes) else json.dumps(body).encode()  # noqa: SLF001
    return HTTPError(response=response)


def refused(message: Any, kind: Any = "ForbiddenException") -> HTTPError:
    return answer({"error": {"message": message, "type": kind, "code": 403, "stack": ["at a.B"]}})


class ClientError(Exception):
    """As botocore raises one."""

    def __init__(self, response: Mapping[str, Any]) -> None:
        super().__init__()
        self.response = response


@pytest.mark.parametrize(
    ("error", "told"),
    [
        pytest.param(
            refused("Nessie Catalog does not allow external snapshot management", "Unsupported"),
            "Unsupported: Nessie Catalog does not allow external snapshot management",
            id="nessie",
        ),
        pytest.param(
            refused("Principal 'audit' is not authorized for op LOAD_TABLE"),
            "ForbiddenException: Principal 'audit' is not authorized for op LOAD_TABLE",
            id="polaris",
        ),
        pytest.param(
            refused("no warehouse-of-sales at https://catalog.example.com/iceberg"),
            "ForbiddenException: no warehouse-of-sales at https://catalog.example.com/iceberg",
            id="what-names-the-catalog",
        ),
        pytest.param(
            ClientError(
                {"Error": {"Code": "AccessDenied", "Message": "no right to glue:GetTable"}}
            ),
            "no right to glue:GetTable",
            id="aws",
        ),
        pytest.param(
            refused("one\n  at a.B(C.java:1)"), "ForbiddenException: one", id="first-line"
        ),
        pytest.param(refused("", "a.b.C$D"), "a.b.C$D", id="a-type-alone"),
        pytest.param(refused("why", "<b>"), "why", id="a-type-that-is-none"),
        pytest.param(refused(None, None), None, id="nulls"),
        pytest.param(answer({"error": "invalid_client"}), None, id="oauth"),
        pytest.param(answer([1]), None, id="another-document"),
        pytest.param(answer(b"<html>no</html>"), None, id="a-page"),
        pytest.param(answer(b"[" * 100_000), None, id="deep"),
        pytest.param(ValueError("no"), None, id="no-answer"),
        pytest.param(ClientError({"Error": None}), None, id="aws-without"),
    ],
)
def test_what_a_server_said(error: Exception, told: str | None) -> None:
    assert said_by(error, PROPERTIES) == told


@pytest.mark.parametrize(
    ("message", "told"),
    [
        pytest.param(f"token {JWT} has expired", "token … has expired", id="token"),
        pytest.param("Authorization: s3cr was sent", "Authorization: … was sent", id="header"),
        pytest.param("bad 'Bearer abc'", "bad 'Bearer …", id="bearer"),
        pytest.param("reader:correct-horse is unknown", "… is unknown", id="credential"),
        pytest.param("(correct-horse)", "(…)", id="secret-of-a-credential"),
        pytest.param("key battery-staple", "key …", id="key"),
        pytest.param("tenant=stapler", "tenant=…", id="own-header"),
        pytest.param(
            "at s3://AK:SECRET@b/x?X-Amz-Signature=abc", "at s3://b/x", id="signed-address"
        ),
        pytest.param("AKIAIOSFODNN7EXAMPLE1 is none", "… is none", id="another-access-key"),
        pytest.param("it is " * 100, "it is " * 50 + " …", id="long"),
    ],
)
def test_credentials_are_left_out(message: str, told: str) -> None:
    assert said_by(refused(message, None), PROPERTIES) == told
