"""The declaration of a connector: which texts, options and settings name its tables; what no log prints of a source.

The latter are the user's `[[source]]` rules and the options in requests of Spark Connect. Both are kept next to the
settings of connectors, so that statements with other rules have other lineage ids.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from eventlog_lineage.errors import UsageError
from eventlog_lineage.user_input import load_toml

_WORD = re.compile(r"[a-z][a-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Connector:
    r"""A connector.

    Attributes:
        name: Its name, the format of its datasets: `mongodb`.
        system: The system's name for people: `MongoDB`.
        evidence: `log`, if the texts come from logs of real runs; `class`, if they come from the connector's source.
        providers: Classes of a save or of a read, or beginnings of them, and short names: `net.snowflake.`.
        tables: Classes of its V2 tables, or beginnings of them, as relations of logical plans print them.
        catalogs: Classes of its V2 catalogs, or beginnings of them.
        printed: Patterns of what a scan, a relation or a write prints; their groups are fields.
        options: Field to the options that contain it, in lower case; the first that is set counts.
        settings: Field to the settings that contain it; the first that is set counts. `{direction}` is read or write,
            `{end}` input or output.
        catalog_settings: Field to the settings below `spark.sql.catalog.<name>.` that contain it.
        patterns: Field to a pattern of its value, whose groups are fields.
        defaults: Field to its value where nothing else has it.
        namespace: Templates of OpenLineage's namespace; the first whose fields are all known counts.
        levels: The fields of a name from the outermost to the table: `database`, `schema`, `table`. A dotted table
            overrides the levels before it.
        path: What the option `path` is: `files`, `table`, or nothing.
        query: `options` that hold SQL, and its `dialect`.
        filters: Patterns of filters that only a scan's description has: the group `column`, or a text with columns in
            double quotes.
        unprinted: What a scan applies and does not print: `filters`. Spark removes these filters from the plan.
        varying: Patterns of printed text that differs between runs of one plan: the id of a session.
        missing: What the log lacks of tables without a server, `the URL`, then of relations that nothing names.
        kind: The kind of its datasets, `Dataset.kind`.
    """

    name: str
    system: str = ""
    evidence: str = "class"
    providers: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    catalogs: tuple[str, ...] = ()
    printed: tuple[re.Pattern[str], ...] = ()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    catalog_settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    patterns: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    namespace: tuple[str, ...] = ()
    levels: tuple[str, ...] = ("table",)
    separator: str = "."
    path: str = ""
    query: Mapping[str, Any] = field(default_factory=dict)
    filters: tuple[re.Pattern[str], ...] = ()
    unprinted: tuple[str, ...] = ()
    varying: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    kind: str = "other"

    def owns(self, printed_class: str) -> bool:
        """Return whether a class or short name is one of its providers, tables or catalogs."""
        declared = (*self.providers, *self.tables, *self.catalogs)
        begins = (each for each in declared if each.endswith((".", "$")))
        return printed_class in declared or printed_class.startswith(tuple(begins))

    def settings_of(self, direction: str) -> dict[str, tuple[str, ...]]:
        """Return `settings` for reads or writes."""
        end = "input" if direction == "read" else "output"
        return {
            name: tuple(key.replace("{direction}", direction).replace("{end}", end) for key in keys)
            for name, keys in self.settings.items()
        }


def read_declaration(content: Mapping[str, Any], origin: str) -> Connector:
    """Return the connector of a TOML document.

    Raises:
        UsageError: A key is unknown, has a wrong type, or holds an invalid pattern.
    """
    name = content.get("name")
    if not isinstance(name, str) or not _WORD.fullmatch(name):
        raise UsageError(f"a connector needs a name in lower case, not {name!r}", origin, 'name = "mysystem"')
    if unknown := sorted(content.keys() - _KEYS.keys()):
        raise UsageError(f"unknown key {unknown[0]!r}", origin, f"the keys are {', '.join(sorted(_KEYS))}")
    try:
        return Connector(**{key: _KEYS[key](value) for key, value in content.items()})
    except (TypeError, AttributeError, re.error) as error:
        raise UsageError(str(error), origin, "correct the declaration") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(_text, value if isinstance(value, list) else [value]))


def _patterns(value: object) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each, re.MULTILINE) for each in _texts(value))


def _table_of(read: Callable[[object], object]) -> Callable[[Any], dict[str, object]]:
    return lambda table: {key: read(each) for key, each in table.items()}


_KEYS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("name", "system", "evidence", "kind", "path", "separator"), _text),
    **dict.fromkeys(("providers", "tables", "catalogs", "namespace", "levels", "varying", "missing"), _texts),
    **dict.fromkeys(("options", "settings", "catalog_settings"), _table_of(_texts)),
    **dict.fromkeys(("printed", "filters"), _patterns),
    "unprinted": _texts,
    "patterns": _table_of(lambda text: re.compile(_text(text))),
    "defaults": _table_of(_text),
    "query": dict,
}
"""The keys of a declaration, and what reads the value of each."""


ENTRY_POINTS = "eventlog_lineage.connectors"
"""The group of entry points whose values are modules: each TOML file in their package declares a connector."""

JDBC = "jdbc"
CATALOG = "spark.sql.catalog."
"""Beginning of the settings that declare a catalog by its class, and of those of the catalog."""
_WORDS = re.compile(r"(?<!\\)[A-Za-z][A-Za-z ]*[A-Za-z]")


@cache
def connectors() -> Mapping[str, Connector]:
    """Return the connectors by name; a declaration of an installed package replaces one of the same name.

    Raises:
        UsageError: A declaration is invalid.
    """
    found = {each.name: each for each in _declared(__package__)}
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        found |= {each.name: each for each in _declared(point.value)}
    own = {each.name: each for each in (read_declaration(load_toml(text, "connector"), "connector") for text in _own)}
    return {**own, **{name: each for name, each in found.items() if name not in own}}


_own: tuple[str, ...] = ()


def use_connectors(texts: tuple[str, ...]) -> None:
    """Add the user's connectors in this process; they come before those of the package.

    Raises:
        UsageError: A declaration is invalid.
    """
    global _own  # noqa: PLW0603 - connectors are found once per process, as formats are
    if texts == _own:
        return
    _own = texts
    for each in (connectors, connector_of_class, kept_settings, kept_catalog_settings, varying_texts):
        each.cache_clear()
    connectors()


def read_connector_file(path: str) -> str:
    """Return the text of a connector's TOML file.

    Raises:
        UsageError: The file cannot be read, or its declaration is invalid.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the connector: {error}", path, "check the path") from None
    read_declaration(load_toml(text, path), path)
    return text


def _declared(package: str) -> Iterator[Connector]:
    for name, content in documents(package):
        yield read_declaration(content, name)


def documents(package: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the TOML files of a package, by name.

    Raises:
        UsageError: A file is not TOML.
    """
    for resource in sorted(files(package).iterdir(), key=lambda each: each.name):
        if resource.name.endswith(".toml"):
            yield resource.name, load_toml(resource.read_text(encoding="utf-8"), resource.name)


@cache
def connector_of_class(name: str) -> Connector | None:
    """Return the connector of a class or short name of a provider, a table or a catalog; None for others."""
    return next((each for each in connectors().values() if each.owns(name)), None)


@cache
def kept_settings() -> frozenset[str]:
    """Return the settings that name a connector's tables, apart from those of catalogs."""
    directed = (each.settings_of(name) for each in connectors().values() for name in ("read", "write"))
    return frozenset(key for settings in directed for keys in settings.values() for key in keys)


@cache
def kept_catalog_settings() -> frozenset[str]:
    """Return the settings below `spark.sql.catalog.<name>.` that name a connector's tables."""
    return frozenset(key for each in connectors().values() for keys in each.catalog_settings.values() for key in keys)


@cache
def varying_texts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return patterns of printed text that differs between runs of one plan, each with a word that its matches have."""
    listed = [text for each in connectors().values() for text in each.varying]
    return tuple((max(_WORDS.findall(text), key=len), re.compile(text)) for text in listed)


def source_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of an application that name tables of connectors, catalogs of connectors included."""
    kept = {key: value for key, value in settings.items() if key in kept_settings()}
    for name, value in declared_catalogs(settings).items():
        if connector_of_class(value) is not None:
            key = f"{CATALOG}{name}"
            kept |= {each: settings[each] for each in settings if each == key or each.startswith(f"{key}.")}
    return kept


def declared_catalogs(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the catalogs that settings declare, each with its class."""
    keys = (key for key in settings if key.startswith(CATALOG) and "." not in key.removeprefix(CATALOG))
    return {key.removeprefix(CATALOG): settings[key] for key in keys}


RULE_ENTRY_POINTS = "eventlog_lineage.sources"
"""The group of entry points whose values are packages: each TOML file has `[[source]]` tables."""

_RULE = "source."
_REQUEST = "request."
_WRITTEN = "written"
_REQUEST_TEXTS = ("relation", "query", "table", "collection")
"""The fields by which a request is recognized in a plan."""

_PLACES = tuple("url host port database keyspace project dataset schema account masters region".split())
"""The fields of a request that a plan may not print."""

_SPACES = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class SourceRule:
    """A `[[source]]`: where tables are.

    Attributes:
        namespace: OpenLineage's namespace: `postgres://db1:5432`.
        database: What the names of its tables begin with, if the log does not print it.
        connector: A connector's name; empty for all.
        table: A pattern of the tables, as the log prints them, with `*`; empty for all.
        catalog: The catalog whose tables it is for; empty for all.
        application: A pattern of applications' names, with `*`; empty for all.
    """

    namespace: str
    database: str = ""
    connector: str = ""
    table: str = ""
    catalog: str = ""
    application: str = ""

    def matches(self, connector: str, table: str, catalog: str) -> bool:
        """Return whether it is for a table."""
        is_own = self.connector in {"", connector} and self.catalog in {"", catalog}
        return is_own and fnmatchcase(table.lower(), self.table.lower() or "*")


class Request(NamedTuple):
    """A read or a write in a request of Spark Connect: its format and the options that name its table."""

    format: str
    options: tuple[tuple[str, str], ...]


def read_rule(value: str | Mapping[str, object]) -> SourceRule:
    """Return the rule of a table of the configuration file, or of `connector=jdbc,table=sales.*,namespace=…`.

    Raises:
        UsageError: A key is unknown, or there is no namespace.

    >>> read_rule("table=sales.*,namespace=postgres://db1:5432,database=shop").database
    'shop'
    """
    pairs = dict(each.partition("=")[::2] for each in value.split(",")) if isinstance(value, str) else dict(value)
    known = [each.name for each in fields(SourceRule)]
    unknown = sorted(set(pairs) - set(known))
    hint = f"a source has {', '.join(known)}"
    if unknown:
        raise UsageError(f"unknown key {unknown[0]!r} of a source", "source", hint)
    if not pairs.get("namespace"):
        raise UsageError("a source needs its namespace", "source", hint)
    return SourceRule(**{str(key): str(each).strip() for key, each in pairs.items()})


def read_rules(values: Iterable[str | Mapping[str, object]]) -> tuple[SourceRule, ...]:
    """Return the user's rules, then those of installed packages: the `[[source]]` of their TOML files.

    Raises:
        UsageError: A rule is invalid.
    """
    points = importlib.metadata.entry_points(group=RULE_ENTRY_POINTS)
    installed = (rule for point in points for _, content in documents(point.value) for rule in content["source"])
    return tuple(map(read_rule, (*values, *installed)))


def as_settings(rules: Iterable[SourceRule], application: str) -> tuple[tuple[str, str], ...]:
    """Return the rules for an application as settings."""
    own = [each for each in rules if fnmatchcase(application, each.application or "*")]
    return tuple((f"{_RULE}{index:04}", json.dumps(asdict(each))) for index, each in enumerate(own))


def rule_for(settings: Mapping[str, str], connector: str, table: str, catalog: str = "") -> SourceRule | None:
    """Return the first rule for a table; None if there is none."""
    rules = (SourceRule(**json.loads(value)) for key, value in sorted(settings.items()) if key.startswith(_RULE))
    return next((each for each in rules if each.matches(connector, table, catalog)), None)


def requests_as_settings(requests: Iterable[Request]) -> tuple[tuple[str, str], ...]:
    """Return what requests show of sources as settings; nothing of a table that several requests place differently."""
    found: dict[str, set[str]] = {}
    for request in requests:
        if connector := connector_of_class(request.format):
            for key, places in _request_settings(connector, dict(request.options)):
                found.setdefault(key, set()).add(places)
    return tuple((key, next(iter(places))) for key, places in sorted(found.items()) if len(places) == 1)


def _request_settings(connector: Connector, options: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    found = {name: next(filter(None, map(options.get, keys)), "") for name, keys in connector.options.items()}
    values = {name: value for name, value in found.items() if value}
    places = {name: values[name] for name in _PLACES if name in values}
    for name in _REQUEST_TEXTS if places else ():
        if name in values:
            yield f"{_REQUEST}{connector.name}.{_key(values[name])}", json.dumps(places)


def requested_fields(settings: Mapping[str, str], connector: str, known: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that a request shows of a relation."""
    for name in _REQUEST_TEXTS:
        if known.get(name) and (found := settings.get(f"{_REQUEST}{connector}.{_key(known[name])}")):
            return dict(json.loads(found))
    return {}


def write_as_setting(write: tuple[str, tuple[tuple[str, str], ...]]) -> tuple[str, str]:
    """Return the target in a request as a setting of its statement.

    Args:
        write: Format, and the options that name the target; a table of a catalog has no format.
    """
    return _WRITTEN, json.dumps(write)


def requested_write(settings: Mapping[str, str]) -> Request | None:
    """Return the target in the request of a statement; None if there is none."""
    if _WRITTEN not in settings:
        return None
    name, options = json.loads(settings[_WRITTEN])
    return Request(name, tuple((str(key), str(value)) for key, value in options))


def _key(text: str) -> str:
    """Return a table or a query without what differs between runs, and without the brackets that Spark adds."""
    bare = _SPACES.sub(" ", text.partition(" SPARK_GEN_SUBQ_")[0]).strip().removesuffix(";")
    while bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1].strip()
    return _DIGITS.sub("#", bare)
