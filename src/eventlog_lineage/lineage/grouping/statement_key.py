"""Build the text that identifies a statement between runs; the store's lineage ids are its hashes.

Stores keep lineage ids, and a statement whose id a store has is not traced again. So the labels below are part of the
store's format: a rename of a class, a field or a module does not change them, and they keep the words of version 0.1.0.
A new kind of evidence is part of the key only of the statements that have it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache

from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.lineage.statement import AttributeLink, ScannedTable, StatementContext
from eventlog_lineage.lineage.stream_locations import StreamLocations
from eventlog_lineage.model import Dataset
from eventlog_lineage.observed_schemas import SchemaObservation, to_stored
from eventlog_lineage.operators.plan_context import NO_NAMES, TableNames
from eventlog_lineage.plan.views import ViewRead

_ESCAPED = re.compile("[\\\\\x00-\x1f\x7f-\xa0\xad\ud800-\udfff]")
"""Characters that a key escapes: the backslash, control characters, and surrogates, which UTF-8 lacks."""
_UNNAMED = "FileStoreTable@"
_ASSUMED = "FileStoreTable@?"
_SHORT = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}

_Item = str | int | None | tuple["_Item", ...]


def settings_key(catalog_settings: CatalogSettings) -> str:
    """Return the key of an application's catalog settings; one per application, as all its statements share it.

    Patterns of locations have the placeholder of 0.1.0, for namespaces of one level.

    >>> settings_key(CatalogSettings((("org.example.Catalog", "lake"),), "/warehouse"))
    "Surroundings(catalogs=(('org.example.Catalog', 'lake'),), warehouse='/warehouse', folders=())"
    """
    return _record(
        "Surroundings",
        catalogs=_item(catalog_settings.catalogs),
        warehouse=_item(catalog_settings.warehouse),
        folders=_item(
            tuple((name, pattern.replace("{namespace}", "{database}")) for name, pattern in catalog_settings.folders)
        ),
    )


def context_key(context: StatementContext) -> str:
    """Return the key of a statement's evidence from outside its plans; empty for most statements.

    Args:
        context: The evidence. Every field is part of the key, or two statements share a lineage id.
    """
    parts = (
        _stream(context.stream) if context.stream is not None else "",
        str(context.batch) if context.batch else "",
        _hints(context) if _has_hints(context) else "",
        _item(context.attribute_ids) if context.attribute_ids else "",
        _items(map(_view, context.views)) if context.views else "",
        f"Catalogs({_item(context.catalogs)})" if context.catalogs else "",
        "Unplanned()" if context.has_no_plan else "",
        "DriverRows()" if context.has_driver_rows else "",
        f"Sampled({_item(context.sampled)})" if context.sampled else "",
        f"Masks({_item(context.masks)})" if context.masks else "",
    )
    return "".join(parts)


@lru_cache(maxsize=10_000)
def lineage_id(fingerprints: tuple[str, ...], size: int, links: tuple[AttributeLink, ...], key: str) -> str:
    """Return the lineage id of a statement: 32 hexadecimal digits.

    Args:
        fingerprints: The plans of its executions, then the plans that bind their attributes.
        size: The number of its executions.
        links: The attributes that one of the plans leaves unbound and another binds.
        key: `settings_key` of the application and `context_key` of the statement, in this order.
    """
    pairs = (f"{each.plan}.{each.attribute}={each.producer}.{each.bound}" for each in links)
    return _digest("\n".join((*fingerprints, str(size), *pairs, key)))


def compared_lineage_id(plain_id: str, reported: Iterable[ExternalLineage]) -> str:
    """Return the lineage id of a statement that is compared with the lineage that other tools report.

    Args:
        plain_id: The statement's id without that lineage.
        reported: The lineage that the other tools report; the time of the report is not part of the id.
    """
    keys = [
        _item((each.input_tables, each.output_tables, each.columns, each.failed, each.certain)) for each in reported
    ]
    return _digest(f"{plain_id}[{', '.join(keys)}]")


def masked_lineage_id(plain_id: str, masks: tuple[str, ...]) -> str:
    """Return the lineage id of a statement that is traced with the user's masking functions.

    Args:
        plain_id: The statement's id without them.
        masks: The functions' names, sorted.
    """
    return _digest(f"{plain_id}Masks({_item(masks)})")


def schema_observation_key(observation: SchemaObservation) -> str:
    """Return a sort key for the schema observations of one statement."""
    stored = to_stored(observation)
    columns = (
        _record(
            "SchemaColumn",
            name=_item(column.name),
            data_type=_item(column.data_type),
            derivation=_item(column.derivation),
        )
        for column in stored.columns
    )
    return _record(
        "SchemaSign",
        dataset=_item(stored.dataset),
        evidence=_item(stored.evidence),
        extent=_item(stored.extent),
        columns=_items(columns),
        ordered=_item(stored.ordered),
        words=_item(stored.words),
        detail=_item(stored.detail),
    )


def _stream(stream: StreamLocations) -> str:
    sources = (_items(map(_dataset, each)) if each is not None else "None" for each in stream.sources)
    return _record(
        "StreamPlaces",
        sources=_items(sources),
        sink=_dataset(stream.sink) if stream.sink is not None else "None",
        unnamed_sink=_item(stream.unnamed_sink),
        servers=_item(stream.servers),
        nests=_item(stream.has_batch_function),
        **({"complete": "True"} if stream.is_complete else {}),
    )


def _dataset(dataset: Dataset) -> str:
    return _record(
        "Dataset",
        name=_item(dataset.name),
        kind=_item(dataset.kind),
        format=_item(dataset.format),
        location=_item(dataset.location),
    )


def _has_hints(context: StatementContext) -> bool:
    return context.tables != NO_NAMES or any(
        (context.commit_location, context.maintained_table, context.scanned, context.id_offsets)
    )


def _hints(context: StatementContext) -> str:
    return _record(
        "Hints",
        commit_place=_item(context.commit_location),
        tables=_item(_tables(context.tables)),
        tended=_item(context.maintained_table.name if context.maintained_table is not None else ""),
        scanned=_items(map(_scanned, context.scanned)),
        row=_item(context.id_offsets),
    )


def _tables(names: TableNames) -> tuple[tuple[str, str], ...]:
    """Return names as 0.1.0 listed them: one list, in which an unnamed table has the text that the plan prints."""
    unqualified = dict(names.unqualified)
    if names.unnamed:
        unqualified[_UNNAMED] = names.unnamed
    if names.is_assumed:
        unqualified[_ASSUMED] = names.unnamed
    return (*sorted(unqualified.items()), *names.session)


def _scanned(table: ScannedTable) -> str:
    return _record(
        "ScannedTable",
        name=_item(table.name),
        format=_item(table.format),
        columns=_item(table.columns),
        whole=_item(table.column_lists),
    )


def _view(view: ViewRead) -> str:
    return _record("ViewRead", name=_item(view.name), columns=_item(view.columns))


def _record(label: str, **fields: str) -> str:
    return f"{label}({', '.join(f'{name}={value}' for name, value in fields.items())})"


def _item(value: _Item) -> str:
    """Serialize a string, number, boolean, None, or a tuple of these."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, tuple):
        return _items(map(_item, value))
    if value is None:
        return "None"
    if isinstance(value, bool):
        return "True" if value else "False"
    return str(int(value))


def _items(values: Iterable[str]) -> str:
    listed = list(values)
    return f"({listed[0]},)" if len(listed) == 1 else f"({', '.join(listed)})"


def _text(value: str) -> str:
    r"""Quote a text: with apostrophes, or with double quotes if it contains apostrophes but no double quotes.

    >>> print(_text("it's"), _text('both \' and "'), _text("tab\t"))
    "it's" 'both \' and "' 'tab\t'
    """
    escaped = _ESCAPED.sub(_escape, value)
    if "'" in value and '"' not in value:
        return f'"{escaped}"'
    return "'" + escaped.replace("'", "\\'") + "'"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return _SHORT.get(match[0]) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
