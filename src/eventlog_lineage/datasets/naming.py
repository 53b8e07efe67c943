"""What a table name or a path is called in the store (SEMANTICS.md, "Datasets")."""

from __future__ import annotations

import re

from eventlog_lineage.model import Dataset

SESSION_CATALOG = "spark_catalog"
"""The catalog that logs before Spark 3.4 leave out (`SPARK-37973` prints it since)."""

_QUOTED = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*):(?!\\)(/*)(.*)$", re.DOTALL)
_S3 = frozenset({"s3a", "s3n", "s3"})
_PARTITION = re.compile(r"^[^=/]+=[^/]*$")
_DATA_FILE = re.compile(r"^(?:part-\d{4,}|\d{6}_\d+|bucket_\d+|delta_\d+|base_\d+)[^/]*$")
_SHORT_WORD = re.compile(r"[^./:]+")


def split_name(name: str) -> list[str]:
    """The parts of a dotted name, with or without backticks: `` `db`.`a.b` `` to `db` and `a.b`."""
    return [quoted.replace("``", "`") if quoted else plain for quoted, plain in _QUOTED.findall(name)]


def table_name(name: str, database: str = "default", catalog: str = SESSION_CATALOG) -> str:
    """A catalog table's full name.

    Args:
        name: As printed: `db.t`, `cat.db.t`, `` `t` ``.
        database: The database of a name without one.
        catalog: The catalog of a name without one.

    Returns:
        `catalog.database.table`; deeper namespaces stay as they are.
    """
    parts = split_name(name)
    if len(parts) == 1:
        parts = [database, *parts]
    if len(parts) == 2:
        parts = [catalog, *parts]
    return ".".join(parts)


def path_name(path: str) -> str:
    """A path as a URI without partition folders and data files.

    Args:
        path: As printed: `file:/data/x/dt=2026-11-20`, `s3a://bucket/key/part-00000-….parquet`, `/data/x`.

    Returns:
        `file:///data/x`, `s3://bucket/key`, `hdfs://host:port/path`, `dbfs:/path` …
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
    """A catalog table, by its printed name and, if the log tells it, the place of its files."""
    return Dataset(table_name(name), kind, format.lower(), path_name(location) if location else "")


def path(location: str, *, format: str = "") -> Dataset:  # noqa: A002
    """A path, as a dataset of its own."""
    name = path_name(location)
    return Dataset(name, "path", format.lower(), name)


def jdbc(relation: str, url: str = "") -> Dataset:
    """A table behind JDBC; its URL is redacted in most logs."""
    readable = url if url and "redacted" not in url else ""
    base = re.sub(r"[?;].*$", "", readable).removeprefix("jdbc:").rstrip("/")
    return Dataset(f"jdbc:{base}/{relation}" if base else f"jdbc:{relation}", "jdbc", "jdbc", "")


def short_name(name: str) -> str:
    """A dataset's last word, as expressions call it: `orders` of `spark_catalog.default.orders`."""
    words = _SHORT_WORD.findall(name.rsplit("/", 1)[-1] if "/" in name else name.rsplit(".", 1)[-1])
    return words[-1] if words and "/" not in name else (name.rsplit("/", 1)[-1] or name)
