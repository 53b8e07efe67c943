"""Observations of datasets' schemas: a type per kind of observation, and their stored form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from eventlog_lineage.model import Word


class Evidence(Word):
    """The kind of an observation."""

    CREATE = "create"
    REPLACE = "replace"
    ALTER = "alter"
    RENAME = "rename"
    DROP = "drop"
    OVERWRITE = "overwrite"
    APPEND = "append"
    MERGE = "merge"
    UPDATE = "update"
    READ = "read"
    RELATION = "relation"


INFERRED = "~"
"""Begins the digest of a column whose type is inferred."""


@dataclass(frozen=True, slots=True)
class SchemaColumn:
    """An observed column.

    Attributes:
        name: Its name; fields of structs are within the type.
        data_type: Its catalog string, `struct<city:string>`; empty if unknown.
        derivation: A digest of the derivation of its value, after `INFERRED` if its type follows from functions only;
            empty for a column that the statement does not write.
    """

    name: str
    data_type: str = ""
    derivation: str = ""

    @property
    def is_inferred(self) -> bool:
        """Whether no plan prints the type: a printed one replaces it, and it replaces none."""
        return self.derivation.startswith(INFERRED)


Columns = tuple[SchemaColumn, ...]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A schema in a table's own metadata.

    Attributes:
        schema_id: The format's id of it: the table's version, or the schema's own number.
        changed_at: Epoch milliseconds from which on the table has it; None if the format does not store that.
        comments: The comments of its columns and their fields.
    """

    schema_id: str
    changed_at: int | None
    columns: Columns
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A version of a table of a store, as the harvested applications left it.

    Attributes:
        columns: Its columns in order, without the fields of structs.
        is_complete: Whether these are all columns, by a statement that lists or defines them.
        valid_from: When the version began to hold, epoch milliseconds.
        valid_to: When it ended; None while it holds.
        is_loaded: Whether statements move files into the table.
    """

    name: str
    columns: tuple[str, ...]
    is_complete: bool = True
    valid_from: int = 0
    valid_to: int | None = None
    is_loaded: bool = False

    def held(self, at: int | None) -> bool:
        """Return whether the version held at a time; of an unknown time, whether it holds now."""
        if at is None:
            return self.valid_to is None
        return self.valid_from <= at and (self.valid_to is None or at < self.valid_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Observation:
    """The common attributes of observations.

    Attributes:
        detail: An excerpt of the plan.
    """

    dataset: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllColumns(_Observation):
    """A statement lists all columns of the dataset.

    Attributes:
        evidence: The kind: a write, or a relation that prints all columns.
        ordered: Whether they are in the table's order.
    """

    evidence: Evidence
    columns: Columns
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SomeColumns(_Observation):
    """A statement shows that some columns exist: a read of them, or a write that keeps others.

    Attributes:
        types_by_reader: Whether the reader chose the types, as the files have none (CSV, JSON …).
    """

    evidence: Evidence
    columns: Columns
    ordered: bool = False
    types_by_reader: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCreated(_Observation):
    """A statement creates or replaces the table.

    Attributes:
        columns: The columns; V1 commands (`CreateDataSourceTableCommand`) print none.
        is_complete: Whether these are all columns; false if the plan prints some or none of them.
        if_not_exists: Whether the statement has no effect if the table exists.
    """

    replaces: bool = False
    columns: Columns = ()
    is_complete: bool = False
    ordered: bool = False
    if_not_exists: bool = False

    @property
    def evidence(self) -> Evidence:
        """`create` or `replace`."""
        return Evidence.REPLACE if self.replaces else Evidence.CREATE


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsAdded(_Observation):
    """`ALTER TABLE` adds columns, which the plan prints."""

    evidence: ClassVar[Evidence] = Evidence.ALTER
    columns: Columns


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsRetyped(_Observation):
    """`ALTER TABLE` changes the types of columns, which the plan prints."""

    evidence: ClassVar[Evidence] = Evidence.ALTER
    columns: Columns


@dataclass(frozen=True, slots=True, kw_only=True)
class HashedChanges(_Observation):
    """A V2 `ALTER TABLE` prints its changes as hash codes.

    Attributes:
        changes: `RenameColumn@e5357390`: class and hash code, without the name of the outer class.
    """

    evidence: ClassVar[Evidence] = Evidence.ALTER
    columns: ClassVar[Columns] = ()
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRenamed(_Observation):
    """The table is renamed."""

    evidence: ClassVar[Evidence] = Evidence.RENAME
    columns: ClassVar[Columns] = ()
    new_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDropped(_Observation):
    """The table is dropped."""

    evidence: ClassVar[Evidence] = Evidence.DROP
    columns: ClassVar[Columns] = ()


SchemaObservation = (
    AllColumns
    | SomeColumns
    | TableCreated
    | ColumnsAdded
    | ColumnsRetyped
    | HashedChanges
    | TableRenamed
    | TableDropped
)


_IF_NOT_EXISTS = "if not exists"
_TYPES_BY_READER = "types of the reader"


@dataclass(frozen=True, slots=True)
class StoredObservation:
    """An observation as stores keep it; the attributes are columns of `lineage_schemas`.

    Attributes:
        evidence: The value of `Evidence`.
        extent: `all`: these columns and no others; `some`: these at least; `none`: the table is created, its columns
            are not printed; `added`, `retyped`: columns of `ALTER TABLE`; `codes`: hashed changes; `renamed` and
            `dropped`: the table.
        words: The hashed changes, a table's new name, or whether it is `if not exists` or `types of the reader`.
    """

    dataset: str
    evidence: str
    extent: str
    columns: Columns = ()
    ordered: bool = False
    words: tuple[str, ...] = ()
    detail: str = ""


def to_stored(observation: SchemaObservation) -> StoredObservation:
    """Return the stored form of an observation."""
    extent, ordered, words = _coded(observation)
    return StoredObservation(
        dataset=observation.dataset,
        evidence=str(observation.evidence),
        extent=extent,
        columns=observation.columns,
        ordered=ordered,
        words=words,
        detail=observation.detail,
    )


def _coded(observation: SchemaObservation) -> tuple[str, bool, tuple[str, ...]]:
    """Return extent, order and words."""
    match observation:
        case AllColumns(ordered=ordered):
            return "all", ordered, ()
        case SomeColumns(ordered=ordered, types_by_reader=by_reader):
            return "some", ordered, (_TYPES_BY_READER,) * by_reader
        case TableCreated(columns=columns, is_complete=is_complete, ordered=ordered, if_not_exists=if_not_exists):
            extent = "all" if is_complete else "some" if columns else "none"
            return extent, ordered, (_IF_NOT_EXISTS,) * if_not_exists
        case HashedChanges(changes=changes):
            return "codes", False, changes
        case TableRenamed(new_name=new_name):
            return "renamed", False, (new_name,)
        case ColumnsAdded() | ColumnsRetyped() | TableDropped():
            return _EXTENTS[type(observation)], False, ()


_EXTENTS: Mapping[type, str] = {ColumnsAdded: "added", ColumnsRetyped: "retyped", TableDropped: "dropped"}


def from_stored(stored: StoredObservation) -> SchemaObservation:
    """Return the observation of a stored form.

    Raises:
        ValueError: The evidence or extent is unknown.
    """
    common: dict[str, Any] = {"dataset": stored.dataset, "detail": stored.detail}
    evidence = Evidence(stored.evidence)
    match stored.extent:
        case "codes":
            return HashedChanges(changes=stored.words, **common)
        case "renamed":
            return TableRenamed(new_name=stored.words[0], **common)
        case "dropped":
            return TableDropped(**common)
        case "added":
            return ColumnsAdded(columns=stored.columns, **common)
        case "retyped":
            return ColumnsRetyped(columns=stored.columns, **common)
        case "all" | "some" | "none" as extent:
            listed = {**common, "columns": stored.columns, "ordered": stored.ordered}
            if evidence in {Evidence.CREATE, Evidence.REPLACE}:
                return TableCreated(
                    replaces=evidence is Evidence.REPLACE,
                    is_complete=extent == "all",
                    if_not_exists=_IF_NOT_EXISTS in stored.words,
                    **listed,
                )
            if extent == "all":
                return AllColumns(evidence=evidence, **listed)
            return SomeColumns(evidence=evidence, types_by_reader=_TYPES_BY_READER in stored.words, **listed)
    raise ValueError(f"unknown extent of a schema observation: {stored.extent}")


def read_columns(columns: Iterable[Mapping[str, str]] | None) -> Columns:
    """Return columns as a store lists them: structs with `name`, `data_type` and `derivation`."""
    return tuple(SchemaColumn(**column) for column in columns or ())


# -- read the columns in a table's own metadata: JSON of structs, arrays and maps, in the notation of a format


def _same(kind: object) -> object:
    return kind


@dataclass(frozen=True, slots=True)
class MetadataTypes:
    """How a format writes types.

    Attributes:
        simple: (type without parts) -> its catalog string.
        comment: The keys, one within the other, of a field's comment.
        struct: The name of structs, whose fields are in `fields`.
        element: The key of an array's element.
        key: The key of a map's keys; empty if they are strings.
        value: The key of a map's values.
        suffix: Text after the names of types that may not be NULL.
        plain: (type) -> the type in the form above, for a format that has other forms, too.
    """

    simple: Callable[[str], str]
    comment: tuple[str, ...]
    struct: str = "struct"
    array: str = "array"
    element: str = "element"
    map: str = "map"
    key: str = "key"
    value: str = "value"
    suffix: str = ""
    plain: Callable[[object], object] = _same

    def schema(self, version: str, changed_at: int | None, struct: Mapping[str, Any]) -> TableSchema:
        """Return the schema that a version has.

        Args:
            changed_at: Epoch milliseconds of its commit.
        """
        comments: dict[str, None] = {}
        columns = tuple(SchemaColumn(name, kind) for name, kind in self._fields(struct, comments))
        return TableSchema(version, changed_at, columns, tuple(comments))

    def _fields(self, struct: Mapping[str, Any], comments: dict[str, None]) -> Iterator[tuple[str, str]]:
        """Yield name and catalog string of the fields of a struct.

        Args:
            comments: Gets the comments of the fields, and of those within them.
        """
        fields = struct.get("fields")
        for field in fields if isinstance(fields, list) else ():
            comment: object = field
            for key in self.comment:
                comment = comment.get(key) if isinstance(comment, dict) else None
            if isinstance(comment, str):
                comments[comment] = None
            if isinstance(field, dict):
                yield str(field.get("name", "")), self._catalog_string(field.get("type"), comments)

    def _catalog_string(self, printed: object, comments: dict[str, None]) -> str:
        """Return the catalog string of a type; empty for one that is unknown."""
        kind = self.plain(printed)
        if isinstance(kind, str):
            return self.simple(kind.removesuffix(self.suffix))
        if not isinstance(kind, dict):
            return ""
        name = str(kind.get("type", "")).removesuffix(self.suffix)
        if name == self.array:
            return f"array<{self._catalog_string(kind.get(self.element), comments)}>"
        if name == self.map:
            parts = (self._catalog_string(kind.get(each), comments) for each in (self.key, self.value) if each)
            return f"map<{'' if self.key else 'string,'}{','.join(parts)}>"
        inner = (f"{field}:{text}" for field, text in self._fields(kind, comments))
        return f"struct<{','.join(inner)}>" if name == self.struct else ""
