"""Read declarations: a TOML file, a CSV file of edges, dbt's `manifest.json` or `schema.yml`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from eventlog_lineage.connectors.declared import load_toml
from eventlog_lineage.errors import UsageError
from eventlog_lineage.user_times import read_moment, read_span, without_zone

from .dbt import is_manifest, manifest, properties
from .things import ALL_COLUMNS, EXPOSURE, MANUAL, Declarations, DeclaredEdge, TagRule, Thing

_SECTIONS = ("dataset", "job", "exposure", "edge", "tags")
_THING = ("name", "owner", "contact", "description", "tags", "due", "url", "type", "columns")
_EXPOSURE = (*_THING[:5], "url", "type", "depends_on", "valid_from", "valid_to")
_EDGE = (
    "source",
    "target",
    "source_column",
    "target_column",
    "columns",
    "transformation",
    "masking",
    "expression",
    "job",
    "valid_from",
    "valid_to",
)
_RULE = ("columns", "datasets", "masked", "flows", "description")


def read_files(paths: Sequence[str]) -> Declarations:
    """Return what files declare.

    Args:
        paths: TOML files, CSV files of edges, dbt's `manifest.json` or `schema.yml`.

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
        owner=_text(entry, "owner", path),
        contact=_text(entry, "contact", path),
        description=_text(entry, "description", path),
        type=_text(entry, "type", path),
        url=_text(entry, "url", path),
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
    _check(dict.fromkeys(names.values()), [name for name in _EDGE if name != "columns"], path)
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
