"""Iceberg's catalogs: the locations of their tables, and OpenLineage's names for them."""

from __future__ import annotations

from collections.abc import Mapping

from eventlog_lineage.datasets.openlineage import folder_namespace, metastore_namespace


def is_catalog(implementation: str) -> bool:
    """Return whether a class is one of Iceberg's catalogs."""
    return ".iceberg." in implementation


def catalog_folder(settings: Mapping[str, str], key: str) -> str | None:
    """Return the location pattern of the tables of a catalog of type `hadoop`; None for others.

    Each level of a namespace is a folder (`HadoopCatalog.defaultWarehouseLocation`, Iceberg 1.12).

    Args:
        settings: The application's settings.
        key: The key of the catalog.
    """
    is_folder = is_catalog(settings[key]) and settings.get(f"{key}.type") == "hadoop"
    return "{namespace}/{table}" if is_folder else None


def catalog_namespace(settings: Mapping[str, str], key: str, metastore: str) -> str | None:
    """Return the namespace of a catalog's tables (`IcebergHandler`); None for catalogs of other formats.

    Args:
        settings: The application's settings.
        key: The key of the catalog.
        metastore: The URI of the Hive metastore.
    """
    if not is_catalog(settings[key]):
        return None
    kind = settings.get(f"{key}.type", "").lower()
    made_by = settings.get(f"{key}.catalog-impl", "")
    address = settings.get(f"{key}.uri", "")
    if kind in {"rest", "nessie"} or made_by.endswith("RESTCatalog"):
        return address
    if kind == "hadoop":
        return folder_namespace(settings.get(f"{key}.warehouse", ""))
    return metastore_namespace(address or metastore) if not made_by else ""
