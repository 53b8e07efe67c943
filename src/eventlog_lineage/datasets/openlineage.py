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

from .naming import SESSION_CATALOG, path, path_name, table

_URI = re.compile(r"^([a-z][a-z0-9+.-]*):(?://([^/]*))?(.*)$", re.DOTALL)
_OBJECT_STORES = {"s3": "s3", "gs": "gs", "abfs": "abfss", "abfss": "abfss", "wasb": "wasbs", "wasbs": "wasbs"}
"""Stores whose names have no leading slash (`ObjectStorageDatasetExtractor`), with the scheme that the agent writes."""
_FILE_SYSTEMS = frozenset(
    {"file", "hdfs", "viewfs", "webhdfs", "ofs", "o3fs", "dbfs", "adl", "oss", "obs", "cosn", "tos"}
)
_FILE_SYSTEMS |= frozenset(_OBJECT_STORES.values())

_CATALOG = "spark.sql.catalog."
_METASTORES = ("spark.sql.hive.metastore.uris", "spark.hive.metastore.uris", "spark.hadoop.hive.metastore.uris")
_MONGODB = re.compile(r"^mongodb(?:\+srv)?://(?:[^@/]*@)?([^/?]+)/([^/?]+)")
"""The agent's namespace of collections: the connection's URI, user and password included, with the database."""

_EMBEDDED = frozenset({"derby", "duckdb", "h2", "hsqldb", "sqlite"})
"""Databases within a process, whose URLs have no host."""

_UNKNOWN: Mapping[str, str] = MappingProxyType({})


def openlineage_name(dataset: Dataset, catalogs: Mapping[str, str] = _UNKNOWN) -> tuple[str, str]:
    """Return OpenLineage's namespace and name of a dataset.

    A dataset with a location is named by it: `s3://bucket` and the key, `file` and the path. A table or view without
    one is named within its catalog: `hive://host:9083` and `default.orders`, and in a warehouse by its folder there.
    """
    if dataset.location:
        return location_name(dataset.location)
    if dataset.kind in {"table", "view"} and "/" not in dataset.name:
        return _name_in_catalog(dataset.name, catalogs)
    if dataset.kind in {"jdbc", "other"}:
        return source_name(dataset.name)
    if dataset.name.startswith("kafka://"):
        servers, _, topic = dataset.name.removeprefix("kafka://").partition("/")
        return f"kafka://{servers.split(',')[0]}", topic
    if "/" in dataset.name and _URI.match(dataset.name):
        return location_name(dataset.name)
    return source_name(dataset.name) if ":" in dataset.name else (dataset.kind, dataset.name)


def dataset_at(namespace: str, name: str) -> Dataset:
    """Return the dataset of an OpenLineage name, as the store calls it: the inverse of `openlineage_name`.

    Files are paths; a table at a path has its own name once a log shows its location. A metastore's tables are those
    of the session catalog.

    >>> dataset_at("s3://lake", "shop/orders").name, dataset_at("file", "/data/x").name
    ('s3://lake/shop/orders', 'file:///data/x')
    >>> dataset_at("hive://meta:9083", "shop.orders").name, dataset_at("postgres://db:5432", "shop.public.orders").name
    ('spark_catalog.shop.orders', 'postgres://db:5432/shop.public.orders')
    """
    scheme, _, rest = namespace.partition(":")
    if is_folder_namespace(namespace):
        return path(f"{namespace.rstrip('/')}/{name.lstrip('/')}" if rest else f"{scheme}:/{name.lstrip('/')}")
    if scheme == "hive":
        return table(name)
    if scheme == "spark":
        return Dataset(f"{rest.lstrip('/')}.{name}", "table")
    if scheme == "kafka":
        return Dataset(f"{namespace}/{name}", "topic", "kafka")
    if match := _MONGODB.match(namespace):
        return Dataset(f"mongodb://{match[1]}/{match[2]}.{name}", "other", "mongodb")
    separator = "/" if "://" in namespace or scheme in _EMBEDDED else ":"
    return Dataset(f"{namespace}{separator}{name.lstrip('/')}" if namespace else name, "other")


def _name_in_catalog(full_name: str, catalogs: Mapping[str, str]) -> tuple[str, str]:
    catalog, name = catalog_name(full_name)
    namespace = catalogs.get(catalog) or unknown_catalog(catalog)
    if not is_folder_namespace(namespace):
        return namespace, name
    *levels, last = name.split(".")
    if catalog == SESSION_CATALOG:
        levels = [f"{level}.db" for level in levels if level != "default"]
    return location_name("/".join((namespace.rstrip("/"), *levels, last)))


def unknown_catalog(catalog: str) -> str:
    """Return the namespace of a catalog of which no log shows where it is.

    Consumers take what is before the first colon for the kind of system (Marquez, DataHub).

    >>> unknown_catalog("lake")
    'spark://lake'
    """
    return f"spark://{catalog}"


def is_folder_namespace(namespace: str) -> bool:
    """Return whether a catalog's namespace is the folder of its tables: `file:/warehouse`, `s3://lake/warehouse`."""
    return namespace.partition(":")[0] in _FILE_SYSTEMS


def source_name(name: str) -> tuple[str, str]:
    """Return the namespace and the name of a table of another system.

    >>> source_name("postgres://db1:5432/shop.sales.orders"), source_name("bigquery:acme.shop.orders")
    (('postgres://db1:5432', 'shop.sales.orders'), ('bigquery', 'acme.shop.orders'))
    >>> source_name("azurecosmos://a.documents.azure.com/dbs/shop/colls/orders"), source_name("derby:/data/db/APP.T")
    (('azurecosmos://a.documents.azure.com/dbs/shop', '/colls/orders'), ('file:/data/db', 'APP.T'))
    """
    scheme, colon, rest = name.partition(":")
    if not colon:
        return "other", name
    if scheme == "azurecosmos":
        namespace, container = name.rsplit("/colls/", 1) if "/colls/" in name else (name, "")
        return namespace, f"/colls/{container}"
    if is_embedded := rest.startswith("/") and not rest.startswith("//"):
        scheme = "file" if scheme == "derby" else scheme
    if "://" in name or is_embedded or scheme in _EMBEDDED:
        namespace, slash, table = rest.rpartition("/")
        if slash:
            return f"{scheme}:{namespace}", table
    return scheme, rest


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

    Returns:
        Catalog to namespace, for the catalogs whose namespace follows from the settings.
    """
    return {catalog: namespace for catalog, namespace in _namespaces(settings) if namespace}


def _namespaces(settings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    metastore = next(filter(None, map(settings.get, _METASTORES)), "")
    is_hive = metastore and settings.get("spark.sql.catalogImplementation") == "hive"
    warehouse = folder_namespace(settings.get("spark.sql.warehouse.dir", ""))
    yield SESSION_CATALOG, metastore_namespace(metastore) if is_hive else warehouse
    for key in sorted(settings):
        name = key.removeprefix(_CATALOG)
        if name not in {key, SESSION_CATALOG} and "." not in name:
            found = (each.catalogs.namespace(settings, key, metastore) for each in formats())
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
