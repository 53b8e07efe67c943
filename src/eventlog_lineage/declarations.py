"""Read what no log prints and somebody declares: owners, descriptions, dashboards, tags, edges of other systems.

TOML files, CSV files of edges and dbt's projects become `Declarations`. Names are as the files have them: the fold
finds the datasets of the store that they mean.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

from eventlog_lineage.errors import UsageError
from eventlog_lineage.user_input import load_toml, read_moment, read_span, without_zone

EXPOSURE = "exposure:"
"""What the dataset of an exposure (a dashboard, a notebook, a model) begins with; its name follows."""

MANUAL = "manual"
"""The origin of declared edges, and their job if the file names none."""

PERSONAL = "PII"
"""The tag of columns with names of personal data, unless a file declares what has it."""

PERSONAL_NAMES = (
    r"e?_?mail|phone|mobile|fax|birth|dob|ssn|passport|iban|credit_?card|card_?number|first_?name|last_?name|sur_?name|"
    r"full_?name|user_?name|street|postcode|postal|zip_?code|ip_?addr|tax_?id|salary|gender|latitude|longitude|"
    r"password|personal"
)
"""Words in such names, as a regular expression."""

ALL_COLUMNS = "*"
"""An edge with this source column copies all columns of its source under their names."""


@dataclass(frozen=True, slots=True)
class Thing:
    """What a file declares of datasets, columns, jobs or an exposure.

    Attributes:
        kind: `dataset`, `column`, `job` or `exposure`.
        name: The name as the file has it, a pattern with `*`; an exposure's with its prefix.
        column: The column; empty for other kinds.
        owner: Who is responsible: a team, a person, an address.
        contact: Whom to call: a channel, a number, an address.
        type: What an exposure is: `dashboard`, `notebook`, `ml`.
        due_seconds: The longest time between two writes; None for its usual one.
        origin: `file` or `dbt`.
    """

    kind: str
    name: str
    column: str = ""
    owner: str = ""
    contact: str = ""
    description: str = ""
    type: str = ""
    url: str = ""
    due_seconds: int | None = None
    tags: tuple[str, ...] = ()
    origin: str = "file"


@dataclass(frozen=True, slots=True)
class DeclaredEdge:
    """An edge that no log shows.

    Attributes:
        target: The dataset written, or the dataset of an exposure.
        source_column: The column read; empty for the whole dataset, `*` for each column under its name.
        target_column: The column written; empty for the whole dataset.
        transformation: As in `column_lineage`.
        masking: It hashes, masks or counts.
        expression: How the value is made.
        valid_from: ISO 8601, UTC without a zone; empty for always.
        valid_to: The same; empty for today and later.
    """

    source: str
    target: str
    source_column: str = ""
    target_column: str = ""
    transformation: str = "IDENTITY"
    masking: bool = False
    expression: str = ""
    job: str = MANUAL
    valid_from: str = ""
    valid_to: str = ""


@dataclass(frozen=True, slots=True)
class TagRule:
    """A classification: where it begins, and what becomes of it.

    Attributes:
        columns: Patterns of `dataset.column` with `*`.
        datasets: Patterns of datasets, all of whose columns have it.
        masked: The tag of what a hash, a mask or a count makes of it; empty for none.
        flows: It goes on to what is made of a column.
    """

    tag: str
    columns: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    masked: str = ""
    flows: bool = True
    description: str = ""


@dataclass(frozen=True, slots=True)
class Declarations:
    """All that some files declare; a later thing of the same name takes precedence, field by field."""

    things: tuple[Thing, ...] = ()
    edges: tuple[DeclaredEdge, ...] = ()
    rules: tuple[TagRule, ...] = ()

    def __add__(self, other: Declarations) -> Declarations:
        """Return the declarations of both."""
        return Declarations(self.things + other.things, self.edges + other.edges, self.rules + other.rules)

    def texts(self) -> list[tuple[str, str]]:
        """Return each as its kind and its JSON, in order."""
        listed: tuple[Thing | DeclaredEdge | TagRule, ...] = (*self.things, *self.edges, *self.rules)
        return [(type(each).__name__, json.dumps(asdict(each), ensure_ascii=False)) for each in listed]

    @staticmethod
    def of(texts: Iterable[tuple[str, str]]) -> Declarations:
        """Return what `texts` was made from; fields that this program does not know are left out."""
        found: dict[type, list[Any]] = {Thing: [], DeclaredEdge: [], TagRule: []}
        kinds = {kind.__name__: kind for kind in found}
        for name, text in texts:
            if kind := kinds.get(name):
                values = {key: value for key, value in json.loads(text).items() if key in _names(kind)}
                lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
                found[kind].append(kind(**values | lists))
        return Declarations(*map(tuple, found.values()))


def _names(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


_TABLE_TYPES = frozenset({"model", "seed", "snapshot", "source"})
_PERIODS = {"minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_592_000}
_QUOTES = str.maketrans("", "", '`"[]')
_CALL = re.compile(r"(?:ref|source)\((.*)\)", re.DOTALL)
_WORD = re.compile(r"['\"]([^'\"]+)['\"]")
_RECENCY = frozenset({"recency", "expect_row_values_to_have_recent_data"})

Entry = Mapping[str, Any]


def is_manifest(content: object) -> bool:
    """Return whether a JSON document is a manifest of dbt."""
    return isinstance(content, dict) and isinstance(content.get("nodes"), dict) and "exposures" in content


def manifest(content: Entry) -> Declarations:
    """Return the declarations of a manifest."""
    groups = {each.get("name"): _owner(each.get("owner")) for each in _values(content, "groups")}
    tables = dict(_dbt_tables(content))
    names = {key: relation(each) for key, each in tables.items()}
    due = _recency_tests(content)
    things = [each for key, table in tables.items() for each in _things(names[key], table, groups, due.get(key))]
    edges: list[DeclaredEdge] = []
    for exposure in _values(content, "exposures"):
        things.append(_exposure(exposure))
        used = _part(exposure, "depends_on").get("nodes") or ()
        edges += _uses(things[-1].name, [names[key] for key in used if key in names])
    return Declarations(tuple(things), tuple(edges))


def _dbt_tables(content: Entry) -> Iterator[tuple[str, Entry]]:
    for part in ("nodes", "sources"):
        for key, each in _part(content, part).items():
            if isinstance(each, dict) and each.get("resource_type") in _TABLE_TYPES:
                yield key, each


def _described(content: Entry) -> Iterator[tuple[str, Entry, Entry]]:
    """Yield models and tables of sources: the name, what describes it, and the entry with its columns."""
    for part in ("models", "seeds", "snapshots"):
        yield from ((str(each.get("name", "")), each, each) for each in _list(content, part))
    for source in _list(content, "sources"):
        schema = source.get("schema") or source.get("name", "")
        for table in _list(source, "tables"):
            yield f"{schema}.{table.get('identifier') or table.get('name')}", {**source, **table}, table


def properties(content: Entry) -> Declarations:
    """Return the declarations of a `schema.yml`, whose models have no schema: their names are endings."""
    things = [
        thing
        for name, each, own in _described(content)
        for thing in _things(name, {**each, "columns": _by_name(own)}, {}, None)
    ]
    exposures = [(_exposure(each), each.get("depends_on") or ()) for each in _list(content, "exposures")]
    edges = chain.from_iterable(_uses(each.name, filter(None, map(_named, map(str, used)))) for each, used in exposures)
    return Declarations((*things, *(each for each, _ in exposures)), tuple(edges))


def relation(entry: Entry) -> str:
    """Return the name of a node's table as Spark prints it: `schema.alias`, with the catalog where it is another one.

    dbt-spark's `relation_name` is `schema`.`alias`; adapters with three levels print the database before it.

    >>> relation({"relation_name": "`sales`.`daily`"}), relation({"schema": "sales", "name": "daily"})
    ('sales.daily', 'sales.daily')
    """
    if name := entry.get("relation_name"):
        return str(name).translate(_QUOTES)
    table = entry.get("alias") or entry.get("identifier") or entry.get("name") or ""
    return f"{entry['schema']}.{table}" if entry.get("schema") else str(table)


def _uses(target: str, sources: Iterable[str]) -> list[DeclaredEdge]:
    return [DeclaredEdge(source, target, job=target) for source in sources]


def _named(call: str) -> str:
    """Return the table of `ref('daily')` or `source('crm', 'customers')`; a version of a model is left out."""
    match = _CALL.search(call)
    words = _WORD.findall(match[1]) if match else []
    return ".".join(words) if call.strip().startswith("source") else words[-1] if words else ""


def _exposure(entry: Entry) -> Thing:
    return Thing(
        "exposure",
        EXPOSURE + str(entry.get("name", "")),
        owner=_owner(entry.get("owner")),
        contact=_contact(entry.get("owner")),
        description=str(entry.get("description") or entry.get("label") or ""),
        type=str(entry.get("type") or ""),
        url=str(entry.get("url") or ""),
        tags=_tags(entry),
        origin="dbt",
    )


def _part(entry: Entry, key: str) -> Entry:
    return entry.get(key) or {}


def _things(name: str, entry: Entry, groups: Mapping[Any, str], due: int | None) -> Iterator[Thing]:
    config = _part(entry, "config")
    own = {**config, **{key: value for key, value in entry.items() if value}}
    meta = {**_part(config, "meta"), **_part(entry, "meta")}
    contact = meta.get("contact") or meta.get("slack") or _contact(meta.get("owner"))
    yield Thing(
        "dataset",
        name,
        owner=_owner(meta.get("owner")) or groups.get(own.get("group"), ""),
        contact=str(contact),
        description=str(entry.get("description") or ""),
        due_seconds=_freshness(own.get("freshness")) or due,
        tags=_tags(entry),
        origin="dbt",
    )
    yield from _columns(name, entry.get("columns"))


def _columns(name: str, columns: object) -> Iterator[Thing]:
    """Yield the columns with a description, tags or an owner; `columns` can have any type."""
    found = (_column(name, each) for each in (columns.values() if isinstance(columns, Mapping) else ()))
    return (each for each in found if any((each.description, each.tags, each.owner)))


def _column(dataset: str, entry: Entry) -> Thing:
    return Thing(
        "column",
        dataset,
        str(entry.get("name", "")),
        owner=_owner((entry.get("meta") or {}).get("owner")),
        description=str(entry.get("description") or ""),
        tags=_tags(entry),
        origin="dbt",
    )


def _owner(value: object) -> str:
    if isinstance(value, Mapping):
        return str(value.get("name") or value.get("email") or "")
    return value if isinstance(value, str) else ""


def _contact(value: object) -> str:
    email = value.get("email") if isinstance(value, Mapping) else ""
    return email if isinstance(email, str) else ""


def _tags(entry: Entry) -> tuple[str, ...]:
    """Return the tags of an entry and of its `config`, where dbt 1.10 moved them."""
    found: list[str] = []
    for value in (entry.get("tags"), (entry.get("config") or {}).get("tags")):
        found += [value] if isinstance(value, str) else [str(each) for each in value or ()]
    return tuple(dict.fromkeys(found))


def _freshness(value: object) -> int | None:
    """Return the seconds of the strictest of a source's limits; None without one."""
    limits = [value.get(key) for key in ("warn_after", "error_after")] if isinstance(value, Mapping) else []
    spans = [_seconds(each.get("period"), each.get("count")) for each in limits if isinstance(each, Mapping)]
    return min((span for span in spans if span), default=None)


def _recency_tests(content: Entry) -> dict[str, int]:
    """Return the seconds that tests of recency allow, by the node that they test."""
    found: dict[str, int] = {}
    for each in _values(content, "nodes"):
        test = each.get("test_metadata") or {}
        arguments = test.get("kwargs") or {}
        span = _seconds(arguments.get("datepart"), arguments.get("interval"))
        if test.get("name") in _RECENCY and span:
            found[str(each.get("attached_node"))] = span
    return found


def _seconds(period: object, count: object) -> int | None:
    if not isinstance(count, int) or count <= 0:
        return None
    return _PERIODS.get(str(period), 0) * count or None


def _values(content: Entry, part: str) -> list[dict[str, Any]]:
    return [each for each in (content.get(part) or {}).values() if isinstance(each, dict)]


def _list(content: Entry, part: str) -> list[dict[str, Any]]:
    return [each for each in content.get(part) or () if isinstance(each, dict)]


def _by_name(entry: Entry) -> dict[str, Any]:
    return {str(each.get("name", "")): each for each in _list(entry, "columns")}


_SECTIONS = ("dataset", "job", "exposure", "edge", "tags")
_THING = ("name", "owner", "contact", "description", "tags", "due", "url", "type", "columns")
_EXPOSURE = (*_THING[:5], "url", "type", "depends_on", "valid_from", "valid_to")
_EDGE = (*_names(DeclaredEdge), "columns")
_RULE = _names(TagRule)[1:]


def read_files(paths: Sequence[str]) -> Declarations:
    """Return what files declare.

    Raises:
        UsageError: A file cannot be read, or has an invalid value.
    """
    found = Declarations()
    for path in paths:
        found += _read(path)
    return found


def _read(path: str) -> Declarations:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the declarations: {error}", path, "check the path") from None
    kind = Path(path).suffix.lower()
    if kind == ".csv":
        return Declarations(edges=tuple(_csv_edges(text, path)))
    if kind == ".json":
        return manifest(_json(text, path))
    if kind in {".yml", ".yaml"}:
        return properties(_yaml(text, path))
    return read_toml(load_toml(text, path), path)


def _json(text: str, path: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except ValueError as error:
        raise UsageError(f"invalid JSON: {error}", path, "name dbt's target/manifest.json") from None
    if not is_manifest(content):
        raise UsageError("not a manifest of dbt", path, "name dbt's target/manifest.json")
    return dict(content)


def _yaml(text: str, path: str) -> dict[str, Any]:
    try:
        import yaml  # type: ignore[import-untyped,import-not-found,unused-ignore] # noqa: PLC0415 - not a dependency
    except ModuleNotFoundError:
        hint = "pip install pyyaml, or name dbt's target/manifest.json"
        raise UsageError("reading YAML needs PyYAML", path, hint) from None
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UsageError(f"invalid YAML: {' '.join(str(error).split())}", path) from None
    return dict(content) if isinstance(content, dict) else {}


def read_toml(content: Mapping[str, Any], path: str) -> Declarations:
    """Return the declarations of a TOML document.

    Raises:
        UsageError: It has an unknown key or a value of another type.
    """
    _check(content, _SECTIONS, path)
    things = [each for entry in _tables(content, "dataset", path) for each in _dataset(entry, path)]
    things += [_thing("job", entry, path) for entry in _tables(content, "job", path)]
    edges = [each for entry in _tables(content, "edge", path) for each in _edges(entry, path)]
    for entry in _tables(content, "exposure", path):
        _check(entry, _EXPOSURE, path)
        exposure = _thing("exposure", entry, path)
        things.append(exposure)
        edges += _dependencies(exposure.name, entry, path)
    rules = content.get("tags", {})
    if not isinstance(rules, Mapping):
        raise UsageError("tags is not a table", path, "write [tags.PII]")
    return Declarations(tuple(things), tuple(edges), tuple(_rule(tag, each, path) for tag, each in rules.items()))


def _dataset(entry: Mapping[str, Any], path: str) -> Iterator[Thing]:
    dataset = _thing("dataset", entry, path)
    yield dataset
    columns = entry.get("columns", {})
    if not isinstance(columns, Mapping):
        raise UsageError("columns is not a table", path, "write columns = { email = { tags = ['PII'] } }")
    for name, said in columns.items():
        facts = {"description": said} if isinstance(said, str) else said
        if not isinstance(facts, Mapping):
            raise UsageError(f"column {name} is neither a text nor a table", path)
        thing = _thing("column", {**facts, "name": dataset.name}, path)
        yield Thing("column", dataset.name, name, thing.owner, thing.contact, thing.description, tags=thing.tags)


def _thing(kind: str, entry: Mapping[str, Any], path: str) -> Thing:
    _check(entry, _EXPOSURE if kind == "exposure" else _THING, path)
    name = _text(entry, "name", path)
    if not name:
        raise UsageError(f"a {kind} has no name", path, 'write name = "…"')
    due = entry.get("due")
    return Thing(
        kind,
        EXPOSURE + name if kind == "exposure" else name,
        **{key: _text(entry, key, path) for key in ("owner", "contact", "description", "type", "url")},
        due_seconds=None if due is None else int(read_span(str(due), path).total_seconds()),
        tags=_texts(entry, "tags", path),
    )


def _dependencies(target: str, entry: Mapping[str, Any], path: str) -> Iterator[DeclaredEdge]:
    start, end = (_moment(entry.get(name), path) for name in ("valid_from", "valid_to"))
    for each in entry.get("depends_on", ()):
        if isinstance(each, str):
            yield DeclaredEdge(each, target, job=target, valid_from=start, valid_to=end)
            continue
        if not isinstance(each, Mapping):
            raise UsageError(f"depends_on of {target} is neither a name nor a table", path)
        _check(each, ("dataset", "columns"), path)
        for column in _texts(each, "columns", path) or ("",):
            source = _text(each, "dataset", path)
            yield DeclaredEdge(source, target, column, column, job=target, valid_from=start, valid_to=end)


def _edges(entry: Mapping[str, Any], path: str) -> Iterator[DeclaredEdge]:
    """Yield the edges of an `[[edge]]`: one, or one for each of `columns`, target column to its sources."""
    _check(entry, _EDGE, path)
    columns = entry.get("columns", {})
    if columns == ALL_COLUMNS:
        yield _edge({**entry, "source_column": ALL_COLUMNS, "target_column": ALL_COLUMNS}, path)
    elif not isinstance(columns, Mapping):
        raise UsageError("columns of an edge is not a table", path, "write columns = { total = 'amount' } or '*'")
    elif not columns:
        yield _edge(entry, path)
    for target, sources in columns.items() if isinstance(columns, Mapping) else ():
        for source in [sources] if isinstance(sources, str) else sources:
            yield _edge({**entry, "source_column": source, "target_column": target}, path)


def _edge(entry: Mapping[str, Any], path: str) -> DeclaredEdge:
    source, target = _text(entry, "source", path), _text(entry, "target", path)
    if not source or not target:
        raise UsageError("an edge lacks its source or its target", path)
    return DeclaredEdge(
        source,
        target,
        _text(entry, "source_column", path),
        _text(entry, "target_column", path),
        _text(entry, "transformation", path) or "IDENTITY",
        str(entry.get("masking", "")).strip().lower() in {"true", "1", "yes"},
        _text(entry, "expression", path),
        _text(entry, "job", path) or MANUAL,
        _moment(entry.get("valid_from"), path),
        _moment(entry.get("valid_to"), path),
    )


def _csv_edges(text: str, path: str) -> Iterator[DeclaredEdge]:
    rows = csv.DictReader(io.StringIO(text))
    names = {name: name.removesuffix("_dataset").removesuffix("_name") for name in rows.fieldnames or ()}
    _check(dict.fromkeys(names.values()), _names(DeclaredEdge), path)
    if not {"source", "target"} <= set(names.values()):
        raise UsageError("the first line does not name the columns source and target", path)
    for row in rows:
        yield _edge({short: (row[name] or "").strip() for name, short in names.items()}, path)


def _rule(tag: str, entry: object, path: str) -> TagRule:
    if not isinstance(entry, Mapping):
        raise UsageError(f"tag {tag} is not a table", path, f"write [tags.{tag}]")
    _check(entry, _RULE, path)
    return TagRule(
        tag,
        _texts(entry, "columns", path),
        _texts(entry, "datasets", path),
        _text(entry, "masked", path),
        entry.get("flows", True) is True,
        _text(entry, "description", path),
    )


def _moment(value: object, path: str) -> str:
    """Return a time as ISO 8601 in UTC without a zone; empty for none."""
    if value is None or value == "":
        return ""
    try:
        return (without_zone(value) if isinstance(value, date) else read_moment(str(value))).isoformat()
    except UsageError as error:
        raise UsageError(error.what, path, "write 2026-11-20 or 2026-11-20T04:00") from None


def _check(entry: Mapping[str, Any], known: Sequence[str], path: str) -> None:
    for key in entry:
        if key not in known:
            raise UsageError(f"unknown key {key!r}", path, f"use {', '.join(known)}")


def _tables(content: Mapping[str, Any], name: str, path: str) -> list[Mapping[str, Any]]:
    value = content.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        raise UsageError(f"{name} is not a list of tables", path, f"write [[{name}]]")
    return value


def _text(entry: Mapping[str, Any], key: str, path: str) -> str:
    value = entry.get(key, "")
    if isinstance(value, bool | int | float | date):
        return str(value)
    if not isinstance(value, str):
        raise UsageError(f"{key} is not a text", path)
    return value.strip()


def _texts(entry: Mapping[str, Any], key: str, path: str) -> tuple[str, ...]:
    value = entry.get(key, ())
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list | tuple) or not all(isinstance(each, str) for each in listed):
        raise UsageError(f"{key} is not a list of texts", path)
    return tuple(listed)
