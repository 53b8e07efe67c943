"""OpenLineage's names of datasets and catalogs, as its agents write them (spec/naming.md, agent 1.53).

In a warehouse with the agent on some jobs and this program on the rest, each table must have one name. So a table is
named by its files (`PathUtils.fromCatalogTable`), and its name in the catalog is a symlink of type TABLE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from eventlog_lineage.extensions import formats
from eventlog_lineage.model import Dataset

from .naming import SESSION_CATALOG, path_name

_URI = re.compile(r"^([a-z][a-z0-9+.-]*):(?://([^/]*))?(.*)$", re.DOTALL)
_OBJECT_STORES = {"s3": "s3", "gs": "gs", "abfs": "abfss", "abfss": "abfss", "wasb": "wasbs", "wasbs": "wasbs"}
"""Stores whose names have no leading slash (`ObjectStorageDatasetExtractor`), with the scheme that the agent writes."""

_CATALOG = "spark.sql.catalog."
_METASTORES = (
    "spark.sql.hive.metastore.uris",
    "spark.hive.metastore.uris",
    "spark.hadoop.hive.metastore.uris",
)
_FIRST_PORT = {
    "clickhouse": "8123",
    "crate": "5432",
    "db2": "6789",
    "mysql": "3306",
    "oceanbase": "2881",
    "oracle": "1521",
    "postgres": "5432",
    "teradata": "1025",
    "trino": "443",
}
"""Port of a JDBC URL without one (`OverridingJdbcExtractor`)."""

_PORT = re.compile(r":\d+$")
_TWO_LEVELS = frozenset({"clickhouse", "mysql"})
"""Products whose database is the schema: a qualified table hides the URL's database."""

_JDBC = re.compile(r"^(?:jtds:)?([a-z0-9]+)(?:[:+][a-z0-9:+]*)?:(?:@?//|@)([^/]*)/?(.*)$", re.IGNORECASE | re.DOTALL)

_UNKNOWN: Mapping[str, str] = MappingProxyType({})


def openlineage_name(dataset: Dataset, catalogs: Mapping[str, str] = _UNKNOWN) -> tuple[str, str]:
    """Return OpenLineage's namespace and name of a dataset.

    A dataset with a location is named by it: `s3://bucket` and the key, `file` and the path. A table without one is
    named within its catalog: `hive://host:9083` and `default.orders`.

    Args:
        dataset: The dataset.
        catalogs: Catalog to namespace; other catalogs are their own namespaces.
    """
    if dataset.location:
        return location_name(dataset.location)
    if dataset.kind in {"table", "view"} and "/" not in dataset.name:
        catalog, name = catalog_name(dataset.name)
        return catalogs.get(catalog, catalog), name
    if dataset.name.startswith("jdbc:"):
        return _jdbc_name(dataset.name.removeprefix("jdbc:"))
    if dataset.name.startswith("kafka://"):
        servers, _, topic = dataset.name.removeprefix("kafka://").partition("/")
        return f"kafka://{servers.split(',')[0]}", topic
    if "/" in dataset.name and _URI.match(dataset.name):
        return location_name(dataset.name)
    scheme, colon, rest = dataset.name.partition(":")
    return (scheme, rest) if colon else (dataset.kind, dataset.name)


def catalog_name(table: str) -> tuple[str, str]:
    """Return a table's catalog and its name within it: `spark_catalog` and `default.orders`.

    >>> catalog_name("shop.orders"), catalog_name("lake.shop.orders")
    (('shop', 'orders'), ('lake', 'shop.orders'))
    """
    catalog, _, rest = table.partition(".")
    return (catalog, rest) if rest else (SESSION_CATALOG, table)


def location_name(uri: str) -> tuple[str, str]:
    """Return the namespace and name of files (`FilesystemDatasetUtils.fromLocation`).

    Args:
        uri: The result of `naming.path_name`.

    Returns:
        `file` and the path; `s3://bucket` and the key without a leading slash; `hdfs://host:8020` and the path.

    >>> location_name("s3://lake/shop/orders"), location_name("file:/tmp/a")
    (('s3://lake', 'shop/orders'), ('file', '/tmp/a'))
    """
    match = _URI.match(uri)
    if not match:
        return "file", uri or "/"
    scheme, authority, path = match[1], match[2] or "", f"/{match[3].strip('/')}"
    if scheme == "file":
        return "file", path
    if scheme in _OBJECT_STORES:
        return f"{_OBJECT_STORES[scheme]}://{authority}", path[1:] or "/"
    return (f"{scheme}://{authority}" if authority else scheme), path


def catalog_namespaces(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the agent's namespace of each catalog's tables, for symlinks.

    The session catalog's is its Hive metastore (`hive://host:9083`), else its warehouse (`PathUtils`); an Iceberg
    catalog's is its metastore, its REST or Nessie address, or its warehouse (`IcebergHandler`). Glue's needs the region
    and account, which no log shows.

    Args:
        settings: An application's Spark properties.

    Returns:
        Catalog to namespace, for the catalogs whose namespace follows from the settings.
    """
    return {catalog: namespace for catalog, namespace in _namespaces(settings) if namespace}


def _namespaces(settings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    metastore = next((settings[key] for key in _METASTORES if settings.get(key)), "")
    hive = settings.get("spark.sql.catalogImplementation") == "hive" and metastore
    yield (
        SESSION_CATALOG,
        metastore_namespace(metastore) if hive else folder_namespace(settings.get("spark.sql.warehouse.dir", "")),
    )
    for key in sorted(settings):
        name = key.removeprefix(_CATALOG)
        if key.startswith(_CATALOG) and "." not in name and name != SESSION_CATALOG:
            found = (each.catalog_namespace(settings, key, metastore) for each in formats())
            yield from ((name, namespace) for namespace in found if namespace)


def metastore_namespace(metastore: str) -> str:
    """Return the namespace of a metastore: the first of `thrift://a:9083,thrift://b:9083` as `hive://a:9083`.

    >>> metastore_namespace("thrift://a:9083,thrift://b:9083")
    'hive://a:9083'
    """
    _, slashes, authority = metastore.split(",", maxsplit=1)[0].strip().partition("://")
    return f"hive://{authority.split('/')[0]}" if slashes and authority else ""


def folder_namespace(warehouse: str) -> str:
    """Return the namespace of tables in a folder (`FilesystemDatasetUtils.fromLocationAndName`): `file:/warehouse`.

    >>> folder_namespace("s3://lake/wh"), folder_namespace("file:/warehouse")
    ('s3://lake/wh', 'file:/warehouse')
    """
    if not warehouse:
        return ""
    namespace, name = location_name(path_name(warehouse))
    if namespace == "file":
        return f"file:{name}" if name != "/" else "file"
    return namespace if name == "/" else f"{namespace}/{name.lstrip('/')}"


def _jdbc_name(name: str) -> tuple[str, str]:
    """Return the names of a JDBC table (`JdbcDatasetUtils`): `postgres://host:5432` and `database.schema.table`.

    Args:
        name: `postgresql://host:5432/database/schema.table`; only the table if the log does not print the URL.
    """
    base, slash, table = name.rpartition("/")
    match = _JDBC.match(f"{base}/") if slash else None
    if not match:
        return "jdbc", name
    product = match[1].lower().removesuffix("ql") if match[1].lower() == "postgresql" else match[1].lower()
    hosts, database = match[2].lower(), match[3].strip("/")
    if product == "oracle" and not database and hosts.count(":") == 2:  # host:1521:sid
        hosts, _, database = hosts.rpartition(":")
    port = _FIRST_PORT.get(product)
    known = ",".join(
        host if port is None or re.search(r":\d+$", host) else f"{host}:{port}" for host in hosts.split(",")
    )
    whole = table if not database or (product in _TWO_LEVELS and "." in table) else f"{database}.{table}"
    return f"{product}://{known}", whole
