"""Canonical names of tables and paths (docs/semantics.md, "Names of datasets")."""

from __future__ import annotations

import re

from eventlog_lineage.model import Dataset

UNKNOWN = "unknown"
"""The name of a source that a plan does not name."""

SESSION_CATALOG = "spark_catalog"
"""The catalog that logs before Spark 3.4 omit (SPARK-37973)."""

_QUOTED = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")
_PATH_TABLE = re.compile(r"^([A-Za-z]\w*)\.(?:`([^`]*/[^`]*)`|((?:/|[a-z][\w+.-]*:/)\S*))$")
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*):(?!\\)(/*)(.*)$", re.DOTALL)
_S3 = frozenset({"s3a", "s3n", "s3"})
_PARTITION = re.compile(r"^[^=/]+=[^/]*$")
_DATA_FILE = re.compile(r"^(?:part-\d{4,}|\d{6}_\d+|bucket_\d+|delta_\d+|base_\d+)[^/]*$")
_SHORT_WORD = re.compile(r"[^./:]+")


def split_name(name: str) -> list[str]:
    """Return the parts of a dotted name, with or without backticks.

    >>> split_name("`db`.`a.b`")
    ['db', 'a.b']
    """
    return [quoted.replace("``", "`") if quoted else plain for quoted, plain in _QUOTED.findall(name)]


def table_name(name: str, database: str = "default", catalog: str = SESSION_CATALOG) -> str:
    """Return a catalog table's full name.

    Args:
        name: The name as printed: `db.t`, `cat.db.t`, `` `t` ``.
        database: The database of a name without one.
        catalog: The catalog of a name without one.

    Returns:
        `catalog.database.table`; names with more parts are unchanged.

    >>> table_name("`db`.`t`")
    'spark_catalog.db.t'
    """
    parts = split_name(name)
    if len(parts) == 1:
        parts = [database, *parts]
    if len(parts) == 2:
        parts = [catalog, *parts]
    return ".".join(parts)


def name_in_catalog(name: str, catalog: str) -> str:
    """Return the full name of a table that is printed next to its catalog.

    Namespaces of V2 catalogs have any number of levels (`Identifier.toString`); the session catalog has one.

    Args:
        name: The name within the catalog: `db.t`, `region.db.t`.
        catalog: The catalog's name.

    >>> name_in_catalog("region.db.t", "ice")
    'ice.region.db.t'
    """
    parts = split_name(name)
    if catalog == SESSION_CATALOG or len(parts) < 3:
        return table_name(name, catalog=catalog)
    return ".".join((catalog, *parts))


def name_for_procedure(name: str, catalog: str) -> str:
    """Return the full name of a table that a procedure is called with.

    The name may begin with its catalog (Iceberg's `Spark3Util.catalogAndIdentifier`).

    Args:
        name: The argument: `db.t`, `ice.db.t`, `region.db.t`.
        catalog: The name of the procedure's catalog.
    """
    return table_name(name) if split_name(name)[0] == catalog else name_in_catalog(name, catalog)


def path_name(path: str) -> str:
    """Return a path as a URI without partition folders and data files.

    Args:
        path: The path as printed: `file:/data/x/dt=2026-11-20`, `s3a://bucket/key/part-00000-….parquet`, `/data/x`.

    Returns:
        `file:///data/x`, `s3://bucket/key`, `hdfs://host:port/path`, `dbfs:/path` …

    >>> path_name("file:/data/x/dt=2026-11-20"), path_name("s3a://bucket/key/part-00000-c1.parquet")
    ('file:///data/x', 's3://bucket/key')
    """
    uri = _uri(path.strip())
    head, slash, last = uri.rpartition("/")
    while slash and head and not head.endswith((":", "/")) and (_DATA_FILE.match(last) or _PARTITION.match(last)):
        uri = head
        head, slash, last = uri.rpartition("/")
    return uri


def _uri(path: str) -> str:
    match = _SCHEME.match(path)
    if not match:
        return f"file://{_trimmed('/' + path.lstrip('/'))}"
    scheme, slashes, rest = match[1].lower(), match[2], match[3]
    if scheme in _S3:
        return f"s3://{_trimmed(rest)}"
    if scheme == "file":
        return f"file:///{_trimmed(rest)}"
    if len(slashes) == 2:
        return f"{scheme}://{_trimmed(rest)}"
    return f"{scheme}:/{_trimmed(rest)}"


def _trimmed(path: str) -> str:
    collapsed = re.sub(r"/{2,}", "/", path)
    return collapsed.rstrip("/") if len(collapsed) > 1 else collapsed


def table(name: str, *, format: str = "", location: str = "", kind: str = "table") -> Dataset:  # noqa: A002
    """Return a catalog table.

    Args:
        name: The name as printed.
        format: Its format; empty if unknown.
        location: The location of its files; empty if unknown.
        kind: `table` or `view`.
    """
    return Dataset(table_name(name), kind, format.lower(), path_name(location) if location else "")


def path(location: str, *, format: str = "") -> Dataset:  # noqa: A002
    """Return the dataset of a path.

    Args:
        location: The path as printed.
        format: The format of its files; empty if unknown.
    """
    name = path_name(location)
    return Dataset(name, "path", format.lower(), name)


def path_table(name: str) -> Dataset | None:
    """Return the dataset of a path in place of a table, ``delta.`/data/x` ``; None for a table's name.

    Args:
        name: The name as printed, with or without backquotes.

    >>> path_table("delta.`/data/t`").name
    'file:///data/t'
    >>> path_table("db.t")
    """
    match = _PATH_TABLE.match(name)
    return path(match[2] or match[3], format=match[1]) if match else None


def jdbc(relation: str, url: str = "") -> Dataset:
    """Return a JDBC table.

    Args:
        relation: The table, as printed.
        url: Its URL, which is redacted in most logs.

    >>> jdbc("orders", "jdbc:postgresql://host/shop").name
    'jdbc:postgresql://host/shop/orders'
    """
    readable = url if url and "redacted" not in url else ""
    base = re.sub(r"[?;].*$", "", readable).removeprefix("jdbc:").rstrip("/")
    return Dataset(f"jdbc:{base}/{relation}" if base else f"jdbc:{relation}", "jdbc", "jdbc", "")


def short_name(name: str) -> str:
    """Return the last part of a dataset's name.

    >>> short_name("spark_catalog.default.orders")
    'orders'
    """
    words = _SHORT_WORD.findall(name.rsplit("/", 1)[-1] if "/" in name else name.rsplit(".", 1)[-1])
    return words[-1] if words and "/" not in name else (name.rsplit("/", 1)[-1] or name)
