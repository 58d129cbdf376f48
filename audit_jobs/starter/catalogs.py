"""Access to a catalog and its storage, as PyIceberg's properties; credentials never are among
them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.starter.absolute import absolute_properties
from prunescope.collectors.addresses import address_shown
from prunescope.collectors.safe_text import without_credentials
from prunescope.collectors.tables.catalog_variables import variable

CATALOGS = ("rest", "glue", "hive", "sql")
STORAGES = ("local", "s3", "gcs", "adls")

_NO_REGION = "us-east-1"
"""The region that servers other than AWS' take if none is configured."""
_SECRET = re.compile(
    r"secret|passw|credential$|authorization$|cookie$|access-key|account-key|api-?key"
    r"|connection-string|(?:^|[.-])token$|^auth(?:$|\.)"
    r"|^header\.(?!(?:x-iceberg-access-delegation|polaris-realm)$)",
    re.IGNORECASE,
)
"""Matches names of credentials, as the chart's `_credentials.tpl` does: any header, but for those
that are known to hold none."""
_ADDRESS = re.compile(r"(?:uri|url|endpoint)$")
_PAIR = re.compile(r"(?:passw\w*|pwd|secret|token|sig|signature|key)\s*=", re.IGNORECASE)
"""Matches what connection strings and signed locations have before a credential."""
_SECRETS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "rest": (("credential", "client id and secret, with a colon between (or token)"),),
    # PyIceberg takes these for Glue and for S3.
    "glue": (
        ("client.access-key-id", "the access key, unless AWS' own variables or a role have it"),
        ("client.secret-access-key", "its secret"),
    ),
    "s3": (
        ("s3.access-key-id", "the access key, unless AWS' own variables or a role have it"),
        ("s3.secret-access-key", "its secret"),
    ),
    "gcs": (
        ("gcs.oauth2.token", "a token, unless application default credentials are there"),
        ("gcs.oauth2.token-expires-at", "when it expires, in milliseconds since 1970"),
    ),
    "adls": (("adls.account-key", "the account's key, unless a managed identity has it"),),
}


@dataclass(frozen=True, slots=True)
class Reached:
    """A catalog: its name, kind and storage, and properties that were given."""

    name: str
    kind: str
    storage: str
    properties: Mapping[str, str]

    def secrets(self) -> Iterator[tuple[str, str]]:
        """The environment variables that PyIceberg takes credentials from, and what they hold."""
        is_aws = (self.kind, self.storage) == ("glue", "s3")
        parts = (self.kind,) if is_aws else (self.kind, self.storage)
        for part in parts:
            for key, what in _SECRETS.get(part, ()):
                yield variable(self.name, key), what


def reached(
    name: str, kind: str, storage: str, given: Mapping[str, str | None], more: Mapping[str, str]
) -> Reached:
    """A catalog from its options and `more` properties. Raises BadConfiguration for a property that
    is, or holds, a credential."""
    for key in more:
        if _SECRET.search(key):
            raise BadConfiguration(
                f"`{key}` is a credential. Do not store it in the file: set {variable(name, key)} "
                f"in the environment."
            )
    known = {key: value for key, value in given.items() if value is not None}
    for key, value in (*known.items(), *more.items()):
        if _may_hold_a_credential(key, value):
            raise BadConfiguration(
                f"`{key}` may hold a password. Do not store it in the file: set "
                f"{variable(name, key)} in the environment."
            )
    # Whoever has an endpoint of their own mostly has no regions; without one, AWS is asked.
    if "s3.endpoint" in known and not {"s3.region", "client.region"} & {*known, *more}:
        more = {"s3.region": _NO_REGION, **more}
    located = absolute_properties(kind, {**known, **more})
    return Reached(name, kind, storage, {"type": kind, **located})


def _may_hold_a_credential(key: str, value: str) -> bool:
    if _ADDRESS.search(key):
        # Endpoints of S3 need no scheme.
        address = value if "://" in value else f"https://{value}"
        return address_shown(address) != address
    return without_credentials(value) != value or _PAIR.search(value) is not None
