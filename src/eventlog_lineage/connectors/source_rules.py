"""What the log does not print of a source: the user's `[[source]]` rules, and the options in requests of Spark Connect.

Both are kept next to the settings of connectors, so that statements with other rules have other lineage ids.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from fnmatch import fnmatchcase
from typing import NamedTuple

from eventlog_lineage.connectors.connector import connector_of_class, documents
from eventlog_lineage.errors import UsageError

ENTRY_POINTS = "eventlog_lineage.sources"
"""The group of entry points whose values are packages: each TOML file has `[[source]]` tables."""

_RULE = "source."
_REQUEST = "request."
_WRITTEN = "written"
_TEXTS = ("relation", "query", "table", "collection")
"""The fields by which a request is recognized in a plan."""

_PLACES = (
    "url",
    "host",
    "port",
    "database",
    "keyspace",
    "project",
    "dataset",
    "schema",
    "account",
    "masters",
    "region",
)
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

    Args:
        values: The user's rules, as `read_rule` reads them.

    Raises:
        UsageError: A rule is invalid.
    """
    points = importlib.metadata.entry_points(group=ENTRY_POINTS)
    installed = (rule for point in points for _, content in documents(point.value) for rule in content["source"])
    return tuple(map(read_rule, (*values, *installed)))


def as_settings(rules: Iterable[SourceRule], application: str) -> tuple[tuple[str, str], ...]:
    """Return the rules for an application as settings.

    Args:
        rules: The user's rules, in order.
        application: The application's name.
    """
    own = [each for each in rules if fnmatchcase(application, each.application or "*")]
    return tuple((f"{_RULE}{index:04}", json.dumps(asdict(each))) for index, each in enumerate(own))


def rule_for(settings: Mapping[str, str], connector: str, table: str, catalog: str = "") -> SourceRule | None:
    """Return the first rule for a table; None if there is none.

    Args:
        settings: The settings of connectors.
        connector: The connector.
        table: The table, without quotes.
        catalog: Its catalog; empty if the plan prints none.
    """
    rules = (SourceRule(**json.loads(value)) for key, value in sorted(settings.items()) if key.startswith(_RULE))
    return next((each for each in rules if each.matches(connector, table, catalog)), None)


def requests_as_settings(requests: Iterable[Request]) -> tuple[tuple[str, str], ...]:
    """Return what requests show of sources as settings; nothing of a table that several requests place differently."""
    found: dict[str, set[str]] = {}
    for request in requests:
        connector = connector_of_class(request.format)
        if connector is None:
            continue
        options = dict(request.options)
        values = {
            name: next((options[key] for key in keys if options.get(key)), "")
            for name, keys in connector.options.items()
        }
        places = {name: values[name] for name in _PLACES if values.get(name)}
        for name in _TEXTS:
            if values.get(name) and places:
                found.setdefault(f"{_REQUEST}{connector.name}.{_key(values[name])}", set()).add(json.dumps(places))
    return tuple((key, next(iter(places))) for key, places in sorted(found.items()) if len(places) == 1)


def requested_fields(settings: Mapping[str, str], connector: str, known: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that a request shows of a relation.

    Args:
        settings: The settings of connectors.
        connector: The relation's connector.
        known: The fields that are known of it.
    """
    for name in _TEXTS:
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
    """Return the target in the request of a statement; None if there is none.

    Args:
        settings: The settings of connectors, and the statement's own.
    """
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
