"""Canonical names of tables and paths (docs/semantics.md, "Names of datasets"); the paths of a scan."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from eventlog_lineage.model import Dataset

UNKNOWN = "unknown"
"""The part of a dataset's name for what the log does not print."""

SESSION_CATALOG = "spark_catalog"
"""The catalog that logs before Spark 3.4 omit (SPARK-37973)."""

_QUOTED = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")
_PATH_TABLE = re.compile(r"^([A-Za-z]\w*)\.(?:`([^`]*/[^`]*)`|((?:/|[a-z][\w+.-]*:/)\S*))$")
_PLAIN_NAME = re.compile(r"[\w$-]+(?:\.[\w$-]+)+")
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*):(?!\\)(/*)(.*)$", re.DOTALL)
_LOCATION = re.compile(r"/|[a-z][\w+.-]*:/")
_S3 = frozenset({"s3a", "s3n", "s3"})
_PARTITION = re.compile(r"^[^=/]+=[^/]*$")
_DATA_FILE = re.compile(r"^(?:part-\d{4,}|\d{6}_\d+|bucket_\d+|delta_\d+|base_\d+)[^/]*$")
_UNNAMED = re.compile(r"^[\w-]+:unknown@")
_BETWEEN_PATHS = "\0"
_SHORT_WORD = re.compile(r"[^./:]+")
_SEPARATOR = re.compile(r"[./@]")
_OF_APPLICATION = re.compile(r"([^@/]+)@[^./@]+")
"""A temporary view with its application, see `of_application`."""

_GENERATED_VIEW = re.compile(r"_(?:pyspark|pandas_api)_[0-9a-f]{32}")


def is_generated_view(name: str) -> bool:
    """Return whether a name is that of a view that PySpark makes of a data frame and drops after the query.

    `spark.sql("SELECT … FROM {orders}", orders=frame)` (`SQLStringFormatter`, 3.3 to 4.3); `pandas.sql` does the same.
    """
    return _GENERATED_VIEW.fullmatch(name) is not None


def split_name(name: str) -> list[str]:
    """Return the parts of a dotted name, with or without backticks.

    >>> split_name("`db`.`a.b`")
    ['db', 'a.b']
    """
    return [quoted.replace("``", "`") if quoted else plain for quoted, plain in _QUOTED.findall(name)]


def is_plain_name(text: str, least: int = 2) -> bool:
    """Return whether a text is a name of at least some parts, none of them quoted."""
    return text.count(".") >= least - 1 and _PLAIN_NAME.fullmatch(text) is not None


def table_name(name: str, database: str = "default", catalog: str = SESSION_CATALOG) -> str:
    """Return a catalog table's full name.

    The session catalog stores names in lower case (`SessionCatalog.formatTableName`, 2.4 to 4.3), as scans print them;
    commands that create tables and views print them as the user wrote them.

    Args:
        name: The name as printed: `db.t`, `cat.db.t`, `` `t` ``.

    Returns:
        `catalog.database.table`; names with more parts are unchanged.

    >>> table_name("`Db`.`T`"), table_name("ice.Db.T")
    ('spark_catalog.db.t', 'ice.Db.T')
    """
    parts = split_name(name)
    if len(parts) == 1:
        parts = [database, *parts]
    if len(parts) == 2:
        parts = [catalog, *parts]
    full = ".".join(parts)
    return full.lower() if parts[:1] == [SESSION_CATALOG] else full


def name_in_catalog(name: str, catalog: str) -> str:
    """Return the full name of a table that is printed next to its catalog.

    Namespaces of V2 catalogs have any number of levels (`Identifier.toString`); the session catalog has one.

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


def is_location(text: str) -> bool:
    """Return whether a text is a path or a URI, and not the name of a table.

    >>> is_location("s3://lake/orders"), is_location("lake.shop.orders")
    (True, False)
    """
    return _LOCATION.match(text) is not None


def is_data_file(path: str) -> bool:
    """Return whether a path is a file that Spark or Hive wrote, such as `part-00000-….parquet`, or a bucket of one."""
    return _DATA_FILE.match(path.rstrip("/").rpartition("/")[2]) is not None


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
        kind: `table` or `view`.
    """
    return Dataset(table_name(name), kind, format.lower(), path_name(location) if location else "")


def path(location: str, *, format: str = "") -> Dataset:  # noqa: A002
    """Return the dataset of a path."""
    name = path_name(location)
    return Dataset(name, "path", format.lower(), name)


def paths(locations: Iterable[str], *, format: str = "") -> Dataset:  # noqa: A002
    """Return the paths of one scan, which are one relation until its edges are made: `separate_paths` returns each."""
    names = dict.fromkeys(map(path_name, locations))
    location = next(iter(names)) if len(names) == 1 else ""
    return Dataset(_BETWEEN_PATHS.join(names), "path", format.lower(), location)


def separate_names(name: str) -> list[str]:
    """Return the names of the datasets in the name of a relation: several for one of `paths`."""
    return name.split(_BETWEEN_PATHS)


def separate_paths(relation: Dataset) -> tuple[Dataset, ...]:
    """Return the datasets of a relation: several for one of `paths`.

    >>> [each.name for each in separate_paths(paths(["s3a://lake/a/dt=1", "s3a://lake/a/dt=2", "s3a://lake/b"]))]
    ['s3://lake/a', 's3://lake/b']
    """
    names = separate_names(relation.name)
    return (relation,) if len(names) == 1 else tuple(path(name, format=relation.format) for name in names)


def path_table(name: str) -> Dataset | None:
    """Return the dataset of a path in place of a table, ``delta.`/data/x` ``; None for a table's name.

    >>> path_table("delta.`/data/t`").name
    'file:///data/t'
    """
    match = _PATH_TABLE.match(name)
    return path(match[2] or match[3], format=match[1]) if match else None


def unnamed(columns: Iterable[str], application: str, system: str = "relation") -> Dataset:
    """Return the dataset of a relation that nothing in the log names: no other application has a dataset of this name.

    Args:
        application: The application's id; empty for a plan without an application.
        system: The kind of system, if that is printed: `jdbc`.

    >>> unnamed(["id", "city"], "application_1_2", "jdbc").name
    'jdbc:unknown@application_1_2/b80f0a09'
    """
    listed = "\n".join(sorted(column.lower() for column in columns))
    digest = hashlib.blake2b(listed.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    kind = system if system == "jdbc" else "other"
    return Dataset(f"{system}:{UNKNOWN}@{application}/{digest}", kind)


def is_unnamed(name: str) -> bool:
    """Return whether a dataset's name is one that `unnamed` returns."""
    return _UNNAMED.match(name) is not None


def of_application(view: str, application: str) -> str:
    """Return the name of a temporary view: no other application has a dataset of this name.

    Args:
        application: What the application is called in all its runs; its id without a name of its own.

    >>> of_application("recent", "etl/nightly.v2")
    'recent@etl-nightly-v2'
    """
    return f"{view}@{_SEPARATOR.sub('-', application)}"


def is_complete(name: str) -> bool:
    """Return whether a table's name has its catalog and its database."""
    return len(split_name(name)) > 2


def short_name(name: str) -> str:
    """Return the last part of a dataset's name.

    >>> short_name("spark_catalog.default.orders")
    'orders'
    """
    if is_unnamed(name):
        return UNKNOWN
    if match := _OF_APPLICATION.fullmatch(name):
        name = match[1]
    words = _SHORT_WORD.findall(name.rsplit("/", 1)[-1] if "/" in name else name.rsplit(".", 1)[-1])
    return words[-1] if words and "/" not in name else (name.rsplit("/", 1)[-1] or name)


_SCANNED_PATHS = re.compile(r"(?P<file_index>[^\[(]*?)(?:\((?P<total>\d+) paths\))? ?\[(?P<paths>.*)", re.DOTALL)
_ENTRIES = re.compile(r", \.\.\. (\d+) entries\Z")
_NEXT_PATH = re.compile(r", (?=[A-Za-z][\w+.-]*:/)")
_DOTS = "..."
_LIMIT = 100
"""The default of `spark.sql.maxMetadataStringLength`."""


class Location(NamedTuple):
    """A `Location` field.

    Attributes:
        file_index: The class of the file index; empty for a text without one.
        paths: The root paths that are printed whole.
        missing: The number of the others; None if Spark truncated the list before their number, or may have.
    """

    file_index: str
    paths: tuple[str, ...]
    missing: int | None = 0

    @property
    def first(self) -> str:
        """The first path; empty if none is printed."""
        return self.paths[0] if self.paths else ""

    @property
    def is_whole(self) -> bool:
        """Whether all paths are printed."""
        return self.missing == 0

    def of_v2(self, text: str) -> Location:
        """Return the location of a V2 scan, whose list of paths Spark 3.1 neither counts nor marks as truncated.

        Others may follow a path with which the list has as many characters as it may have.
        """
        length = len(f"[{', '.join(self.paths)}")
        before = length - len(f", {self.paths[-1]}") if self.paths else length
        is_uncounted = len(self.paths) > 1 and " paths)[" not in text
        return self._replace(missing=None) if is_uncounted and before < _LIMIT <= length else self

    def __str__(self) -> str:
        others = f", ... {self.missing} entries" if self.missing else ""
        return f"{self.file_index} [{', '.join(self.paths)}{others}]"


def read_location(text: str) -> Location:
    """Read a `Location` field in each form that Spark prints.

    The details of `FileSourceScanExec` have the first path, `[file:/a, ... 2 entries]`. Metadata have all paths up to
    3.0 (`DataSourceScanExec`), later those within `spark.sql.maxMetadataStringLength`: `(3 paths)[file:/a, ...]`
    (`Utils.buildLocationMetadata`, 3.1+). Tree strings abbreviate that again: `[file:/a, file:/b/c...`.

    >>> read_location("InMemoryFileIndex [file:/a, ... 2 entries]")
    Location(file_index='InMemoryFileIndex', paths=('file:/a',), missing=2)
    >>> read_location("InMemoryFileIndex(3 paths)[file:/a, file:/b, ...]")
    Location(file_index='InMemoryFileIndex', paths=('file:/a', 'file:/b'), missing=1)
    >>> read_location("InMemoryFileIndex[file:/a, file:/b/c...")
    Location(file_index='InMemoryFileIndex', paths=('file:/a',), missing=None)
    """
    match = _SCANNED_PATHS.fullmatch(text.strip())
    if match is None:
        return Location("", (text.strip(),) if text.strip() else ())
    listed = match["paths"].removesuffix("]")
    entries = _ENTRIES.search(listed)
    if entries:
        listed = listed[: entries.start()]
    paths = [path.strip() for path in _NEXT_PATH.split(listed)]
    is_cut = paths[-1].endswith(_DOTS)
    if is_cut:  # in a path, or in the beginning of one: `file:/b, fi...`
        paths[-1] = paths[-1].rpartition(", ")[0]
    paths = [path for path in paths if path]
    missing = int(entries[1]) if entries else _missing(match["total"], len(paths), is_cut=is_cut)
    return Location(match["file_index"].strip(), tuple(paths), missing)


def _missing(total: str | None, printed: int, *, is_cut: bool) -> int | None:
    if total is not None:
        return max(int(total) - printed, 0)
    return None if is_cut else 0


# -- files and folders that land one after the other, named by their date or their number, are one dataset

_NUMBERED = r"[-_.]?\d[\d_.:T-]*"
_SUFFIX = r"\.(?:jsonl?|ndjson|csv|tsv|psv|txt|xml|log|parquet|orc|avro)(?:\.(?:gz|bz2|zstd?|snappy|lz4|xz))?"
_NAME = r"(?:[A-Za-z]{0,2}|(?P=name))"
_DATE = (
    r"20\d\d(?:[-_][01]\d(?:[-_][0-3]\d)?|[01]\d[0-3]\d|/[01]\d(?:/[0-3]\d)?)"
    r"(?:[-_/T]?(?:[01]\d|2[0-3])(?:[-_.:]?[0-5]\d){0,2}Z?)?"
)
DEFAULT_LANDING_FILES = (
    rf"(?P<folder>.*?/(?P<name>[^/]+))/(?:{_DATE}(?:/{_NAME}(?:{_NUMBERED})?{_SUFFIX})?|{_NAME}{_NUMBERED}{_SUFFIX})"
)
"""`orders/n1.json`, `orders/2026-11-20.csv.gz`, `orders/orders_20261120.json`: at most two letters, or the folder's own
name, before the digits. `landing/orders_1.csv` next to `landing/customers_1.csv` are two datasets. Folders of dates:
`orders/2026-11-20`, `orders/2026/11/20`, `orders/20261120/04`, with such files in them."""


_LANDING = re.compile(DEFAULT_LANDING_FILES)


def landing_folder(location: str, rule: re.Pattern[str] = _LANDING) -> str | None:
    """Return the folder of a landing file; None for a path that the rule does not match.

    Args:
        rule: Matches the whole path; its group `folder` is the dataset.

    >>> landing_folder("s3://lake/orders/2026-11-20.json.gz")
    's3://lake/orders'
    >>> landing_folder("s3://lake/orders/2026/11/20")
    's3://lake/orders'
    """
    match = rule.fullmatch(location)
    return match["folder"] if match else None


def common_folder(names: Collection[str]) -> str | None:
    """Return the folder of several landing files or folders, by the default rule; None for other paths.

    >>> common_folder(["s3://lake/orders/2026-11-20", "s3://lake/orders/2026-11-21"])
    's3://lake/orders'
    """
    folders = set(map(landing_folder, names))
    return folders.pop() if len(names) > 1 and len(folders) == 1 else None
