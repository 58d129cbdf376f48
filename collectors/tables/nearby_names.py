"""Names of a catalog beside one that it does not have."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from prunescope.collectors.tables.catalog import CatalogUnavailable, in_time, not_listed

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog


def names_in(catalog: Catalog, namespace: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The tables of a namespace, and, where there are none, the namespaces beside it. Raises
    CatalogUnavailable."""
    from pyiceberg.exceptions import NoSuchNamespaceError  # noqa: PLC0415

    try:
        try:
            tables = in_time(catalog, partial(catalog.list_tables, namespace))
        except NoSuchNamespaceError:
            tables = []
        asking = partial(catalog.list_namespaces, namespace[:-1])
        beside = [] if tables else in_time(catalog, asking)
    except CatalogUnavailable:
        raise
    except Exception as error:  # each kind of catalog raises its own
        raise not_listed(catalog, error) from error
    return [one[-1] for one in tables], [one[len(namespace) - 1] for one in beside]
