"""How a catalog and its storage are reached, as PyIceberg's properties; credentials never are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from audit_jobs.errors import BadConfiguration
from collectors.plain import without_credentials
from collectors.tables.catalog_variables import variable

CATALOGS = ("rest", "glue", "hive", "sql")
STORAGES = ("local", "s3", "gcs", "adls")

_SECRET = re.compile(
    r"secret|passw|credential$|authorization$|cookie$|access-key|account-key|api-?key"
    r"|connection-string|(?:^|[.-])token$",
    re.IGNORECASE,
)
"""As in the chart's `_validate.tpl`."""
_SECRETS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "rest": (("credential", "client id and secret, with a colon between (or token)"),),
    "s3": (
        ("s3.access-key-id", "the access key, unless AWS' own variables or a role have it"),
        ("s3.secret-access-key", "its secret"),
    ),
    "gcs": (("gcs.oauth2.token", "a token, unless application default credentials are there"),),
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
        for part in (self.kind, self.storage):
            for key, what in _SECRETS.get(part, ()):
                yield variable(self.name, key), what


def reached(
    name: str, kind: str, storage: str, given: Mapping[str, str | None], more: Mapping[str, str]
) -> Reached:
    """A catalog by what options say of it, and by `more` properties. Raises BadConfiguration for a
    property that is, or holds, a credential."""
    for key in more:
        if _SECRET.search(key):
            raise BadConfiguration(
                f"the property {key} is a credential, and does not belong into a file; set "
                f"{variable(name, key)} in the environment"
            )
    known = {key: value for key, value in given.items() if value is not None}
    for key, value in (*known.items(), *more.items()):
        if without_credentials(value) != value:
            raise BadConfiguration(
                f"{key} holds a password, and does not belong into a file; set "
                f"{variable(name, key)} in the environment, and leave it out here"
            )
    return Reached(name, kind, storage, {"type": kind, **known, **more})
