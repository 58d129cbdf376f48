"""Answers of a REST catalog for a table, with the metadata as the catalog has it.

PyIceberg's model of metadata (0.12) refuses tables that engines read, such as those with a column
of a type that it does not know.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field
from pyiceberg.catalog.rest import SNAPSHOT_LOADING_MODE, Capability, Endpoints, RestCatalog
from pyiceberg.catalog.rest.response import _handle_non_200_response
from pyiceberg.catalog.rest.scan_planning import StorageCredential
from pyiceberg.exceptions import AuthorizationExpiredError, NoSuchTableError, UnauthorizedError
from pyiceberg.typedef import IcebergBaseModel, Properties
from requests import HTTPError, Response

from prunescope.collectors.errors import UnreadableMetadata
from prunescope.collectors.storage import limits
from prunescope.collectors.tables.metadata_json import parse_json

_PIECE = 1 << 20


class RestAnswer(IcebergBaseModel):
    """LoadTableResult of the REST protocol."""

    metadata_location: str | None = Field(alias="metadata-location", default=None)
    metadata: dict[str, Any]
    config: Properties = Field(default_factory=dict)
    storage_credentials: list[StorageCredential] = Field(
        alias="storage-credentials", default_factory=list
    )


def load(catalog: RestCatalog, identifier: tuple[str, ...]) -> RestAnswer:
    """Loads a table as PyIceberg does. Raises what that raises, and UnreadableMetadata for an
    answer that is larger than any should be."""
    said = f"what catalog {catalog.name!r} answers for {'.'.join(identifier)}"
    with _asked(catalog, identifier) as response:
        content = bytearray()
        for piece in response.iter_content(_PIECE):
            content += piece
            if len(content) > limits.METADATA:
                raise UnreadableMetadata(
                    f"{said} has more than {limits.METADATA >> 20} MiB; expire snapshots of the "
                    "table"
                )
    return RestAnswer.model_validate(parse_json(content, said))


def _asked(catalog: RestCatalog, identifier: tuple[str, ...]) -> Response:
    try:
        return _get(catalog, identifier)
    except (AuthorizationExpiredError, UnauthorizedError):
        catalog._refresh_token()  # noqa: SLF001
    return _get(catalog, identifier)


def _get(catalog: RestCatalog, identifier: tuple[str, ...]) -> Response:
    catalog._check_endpoint(Capability.V1_LOAD_TABLE)  # noqa: SLF001
    path = catalog._split_identifier_for_path(identifier)  # noqa: SLF001
    response = catalog._session.get(  # noqa: SLF001
        catalog.url(Endpoints.load_table, prefixed=True, **path),
        params={"snapshots": catalog.properties.get(SNAPSHOT_LOADING_MODE)},
        stream=True,
    )
    try:
        response.raise_for_status()
    except HTTPError as error:
        _handle_non_200_response(error, {404: NoSuchTableError})
    return response
