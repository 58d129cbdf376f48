"""Origins of the credentials that a storage is read with: where to look if it refuses them."""

from __future__ import annotations

import os

from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.locations import local_path, normal_scheme

_ORIGINS = {
    "s3": (
        ("s3.access-key-id", "client.access-key-id", "s3.role-arn", "client.role-arn"),
        ("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_ROLE_ARN"),
    ),
    "gs": (("gcs.oauth2.token",), ("GOOGLE_APPLICATION_CREDENTIALS",)),
    "abfs": (
        ("adls.account-key", "adls.sas-token", "adls.client-id", "adls.connection-string"),
        ("AZURE_CLIENT_ID",),
    ),
}
"""Properties of PyIceberg's FileIOs, then variables of the services' own clients; the first that is
set counts."""


def told_credentials(storage: Storage, location: str) -> str:
    """A sentence on the credentials that a location is read with; empty if none are needed, or
    their origin is unknown."""
    located = storage.locate(location)
    if local_path(located) is not None:
        return ""
    if storage.vended is not None:
        return "they are those that the catalog hands out"
    scheme = normal_scheme(located)
    if scheme not in _ORIGINS:
        return ""
    properties, variables = _ORIGINS[scheme]
    for name in properties:
        if storage.properties.get(name):
            key = name.replace(".", "__").replace("-", "_").upper()
            return f"they are of the property {name} (PYICEBERG_CATALOG__…__{key})"
    for name in variables:
        if os.environ.get(name):
            return f"they are of {name} in the environment"
    return (
        f"none are set: set the property {properties[0]}, or {variables[0]}, with its secret, "
        "unless this machine has a role"
    )
