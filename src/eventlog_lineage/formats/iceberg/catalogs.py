"""Iceberg's catalogs: where their tables lie, and what OpenLineage calls them."""

from __future__ import annotations

from collections.abc import Mapping

from eventlog_lineage.datasets.openlineage import folder_namespace, metastore_namespace


def is_catalog(implementation: str) -> bool:
    """Is a class one of Iceberg's catalogs?"""
    return ".iceberg." in implementation


def catalog_folder(settings: Mapping[str, str], key: str) -> str | None:
    """Return where the tables of a catalog of type `hadoop` lie; None for others."""
    is_folder = is_catalog(settings[key]) and settings.get(f"{key}.type") == "hadoop"
    return "{database}/{table}" if is_folder else None


def catalog_namespace(settings: Mapping[str, str], key: str, metastore: str) -> str | None:
    """Return the namespace of a catalog's tables (`IcebergHandler`); None for catalogs of other formats."""
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
