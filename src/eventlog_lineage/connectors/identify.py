"""Identify the table, or the SQL, that a relation, a save or a catalog's name means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from types import MappingProxyType
from typing import NamedTuple

from eventlog_lineage.connectors.connector import (
    CATALOG,
    JDBC,
    Connector,
    SourceRule,
    connector_of_class,
    connectors,
    declared_catalogs,
    requested_fields,
    rule_for,
)
from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset

_PORTS = {
    "clickhouse": "8123",
    "crate": "5432",
    "db2": "6789",
    "mysql": "3306",
    "oceanbase": "2881",
    "oracle": "1521",
    "postgres": "5432",
    "sqlserver": "1433",
    "teradata": "1025",
    "trino": "443",
}
"""Port of a URL without one (`OverridingJdbcExtractor`); MariaDB's has none."""

_TWO_LEVELS = frozenset({"clickhouse", "hive2", "impala", "mariadb", "mysql", "singlestore", "teradata"})
"""Products whose database is the schema: a qualified table hides the URL's database."""

_CATALOG_AND_SCHEMA = frozenset({"presto", "trino"})
"""Products whose URLs end with `/catalog/schema`."""

_PRODUCTS = {"postgresql": "postgres", "ch": "clickhouse", "jtds": "sqlserver", "memsql": "singlestore"}
_DIALECTS = {
    "mariadb": "mysql",
    "singlestore": "mysql",
    "oceanbase": "mysql",
    "sqlserver": "tsql",
    "crate": "postgres",
    "db2": "",
    "derby": "",
    "h2": "postgres",
    "sqlite": "sqlite",
}
_KNOWN = frozenset(
    "athena bigquery clickhouse databricks duckdb hive mysql oracle postgres presto redshift snowflake sqlite teradata "
    "trino".split()
)
_URL = re.compile(
    r"^(?:jdbc:)?(?P<product>[a-z0-9-]+)(?::[a-z0-9:+]*)?:(?:(?:(?<=:thin:)[^@/]+/[^@]*)?@(?:tcps?:)?(?://)?|//)"
    r"(?P<hosts>[^/;?]*)(?P<rest>.*)$",
    re.I | re.S,
)
_EMBEDDED = re.compile(r"^jdbc:(?P<product>[a-z0-9]+):(?P<database>[^;?]*)", re.I | re.S)
_PROPERTY = re.compile(r"(\w+)=([^;?&,:()]+)")
_DATABASES = ("databasename", "database", "db", "projectid", "service_name", "sid")
"""The properties that contain the database, in lower case."""

_DRIVERS = (
    ("postgres", ("org.postgresql.", "postgresql-")),
    ("mysql", ("com.mysql.", "mysql-connector", "org.mariadb.", "mariadb-java")),
    ("oracle", ("oracle.jdbc.", "ojdbc")),
    ("tsql", ("com.microsoft.sqlserver.", "mssql-jdbc")),
    ("snowflake", ("net.snowflake.", "snowflake-jdbc")),
    ("redshift", ("com.amazon.redshift.", "redshift-jdbc")),
    ("clickhouse", ("com.clickhouse.", "clickhouse-jdbc")),
    ("teradata", ("com.teradata.", "terajdbc")),
    ("trino", ("io.trino.", "trino-jdbc")),
)


class Server(NamedTuple):
    """A database server.

    Attributes:
        namespace: OpenLineage's namespace: `postgres://host:5432`.
        database: The database of names without one; empty if the URL has none.
        dialect: sqlglot's dialect; empty if it has none.
        product: `postgres`, `mysql` …
    """

    namespace: str
    database: str
    dialect: str
    product: str

    def name(self, table: str) -> str:
        """Return OpenLineage's name of a table."""
        above = self.database.split("/") if self.product in _CATALOG_AND_SCHEMA else [self.database]
        missing = (1 if self.product in _TWO_LEVELS else 2) - table.count(".")
        return ".".join((*filter(None, above[: max(missing, 0)]), table))


def read_url(url: str) -> Server | None:
    r"""Return the server of a JDBC URL; None for other text.

    >>> read_url("jdbc:postgresql://DB1/shop?ssl=true")[:2]
    ('postgres://db1:5432', 'shop')
    >>> read_url("jdbc:sqlserver://sql1;databaseName=shop")[:2], read_url("jdbc:oracle:thin:@db:1521:orcl")[:2]
    (('sqlserver://sql1:1433', 'shop'), ('oracle://db:1521', 'orcl'))
    >>> read_url("jdbc:h2:mem:x")[:2]
    ('h2:mem:x', '')
    """
    match = _URL.match(url)
    if match is None:
        return _embedded(url)
    product = match["product"].lower()
    product = _PRODUCTS.get(product, product)
    hosts, rest = match["hosts"].rpartition("@")[2], match["rest"]
    found = _PROPERTY.findall(f"{hosts} {rest}")
    properties = {key.lower(): value for key, value in found}
    if product == "oracle" and hosts.count(":") == 2:  # host:1521:sid
        hosts, _, properties["sid"] = hosts.rpartition(":")
    if ":" not in hosts and "instancename" in properties:
        hosts = f"{hosts}\\{properties['instancename']}"
    named = next(filter(None, map(properties.get, _DATABASES)), "")
    listed = ",".join(_with_port(host, _PORTS.get(product)) for host in _hosts(hosts, found))
    namespace = product if product == "bigquery" else f"{product}://{listed}"
    return Server(namespace, named or _path(rest), dialect_of_product(product), product)


def _hosts(text: str, properties: list[tuple[str, str]]) -> list[str]:
    """Return the hosts of a URL with their ports, in whichever of the drivers' ways it lists them."""
    if text and "(" not in text:
        return text.lower().split(",")
    hosts = [value.lower() for key, value in properties if key.lower() in {"host", "servername"}]
    ports = [f":{value}" for key, value in properties if key.lower() == "port"]
    return [host + port for host, port in zip_longest(hosts, ports[: len(hosts)], fillvalue="")] or ["localhost"]


def _path(rest: str) -> str:
    """Return the database that follows the hosts of a URL; empty for none, or for properties in its place."""
    path = rest.replace("?", ";").partition(";")[0].strip("/")
    return path.rpartition(":")[0] if "=" in path else path  # Db2's `SAMPLE:user=u`


def _with_port(host: str, port: str | None) -> str:
    has_port = host.rpartition(":")[2].isdecimal() and ":" in host
    return host if port is None or has_port else f"{host}:{port}"


def _embedded(url: str) -> Server | None:
    match = _EMBEDDED.match(url)
    if match is None:
        return None
    product = match["product"].lower()
    return Server(f"{product}:{match['database']}", "", dialect_of_product(product), product)


def dialect_of_product(product: str) -> str:
    """Return sqlglot's dialect of a product; empty if it has none."""
    return _DIALECTS.get(product, product if product in _KNOWN else "")


def dialect_of_driver(text: str) -> str:
    """Return the dialect of a driver's class or jar in a text; empty if there is none, or if there are several."""
    found = {dialect for dialect, words in _DRIVERS if any(word in text for word in words)}
    return found.pop() if len(found) == 1 else ""


def dialect_of_quotes(sql: str) -> str:
    """Return the dialect that the quotes, a `TOP (3)` or a `(+)` of a query show; empty for a query without them.

    >>> dialect_of_quotes("select `a` from t"), dialect_of_quotes('select "a" from [t]'), dialect_of_quotes("select 1")
    ('mysql', 'tsql', '')
    >>> dialect_of_quotes('SELECT TOP (3) "id" FROM "sales"."orders"')
    'tsql'
    """
    bare = re.sub(r"'(?:[^']|'')*'", "''", sql)
    if "`" in bare or "(+)" in bare:
        return "mysql" if "`" in bare else "oracle"
    if re.search(r"(?<![\w\])])\[[A-Za-z_][^\]\n]*\]|\btop\s*\(\d", bare, re.IGNORECASE):
        return "tsql"
    return "postgres" if '"' in bare else ""


NAMESPACE = "namespace."
"""Beginning of the keys whose values are the only catalog that may have a table, next to the settings."""

COLUMNS = "columns."
"""Beginning of the keys whose values are columns of a table, as other plans list them."""

REDACTED = "(redacted)"
"""In the place of a value that Spark or this program hides."""
_FIELD = re.compile(r"\{(\w+)\}")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|([^."`\[\]]+)')
_PART = r"""(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[^\s."'`\[\]();,]+)"""
_TABLE = re.compile(rf"(?P<table>{_PART}(?:\s*\.\s*{_PART})*)(?:\s+(?:as\s+)?{_PART})?", re.IGNORECASE)
"""A table, maybe with an alias; other texts of `dbtable` are SQL."""
_GENERATED = re.compile(r"\s+SPARK_GEN_SUBQ_\d+\s*$")
"""The alias of a `query` (`JDBCOptions`, 2.4 to 4.3), which an application numbers."""
_HINT = re.compile(r"\s+(?:with\s*\(.*\)|/\*.*\*/)\s*$", re.IGNORECASE | re.DOTALL)
_NEXT_PATH = re.compile(r",(?=(?:\w+:)?/)")
"""Between the paths of one read (`FileInputFormat.setInputPaths`)."""
_PROBE = "schema.table"
"""The name of a table that shows what the names of a catalog's tables begin with."""

_EMPTY: Mapping[str, str] = MappingProxyType({})


class SentQuery(NamedTuple):
    """SQL that Spark sends to a database."""

    text: str
    dialect: str


@dataclass(frozen=True, slots=True)
class Identified:
    """What a relation or a save is.

    Attributes:
        dataset: The table or path; None if nothing names it, or for a query.
        query: The SQL that it is; None for a table.
        fields: What the texts, options and settings show.
    """

    connector: Connector
    dataset: Dataset | None = None
    query: SentQuery | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)


def identify(
    printed: str,
    options: Mapping[str, str] = _EMPTY,
    settings: Mapping[str, str] = _EMPTY,
    provider: str = "",
    direction: str = "read",
) -> Identified | None:
    r"""Identify a relation or a save.

    Args:
        printed: What a scan or a relation prints: its name, then its description; empty for a save.
        options: The options, by lower-case name. A redacted one shows nothing, and no setting is in its place.
        provider: The class or short name of a save's or a table's provider; empty if unknown.
        direction: `read` or `write`, for connectors with settings for each.

    Returns:
        None for a text and a provider that no connector declares.

    >>> identify("MongoTable()\nMongoScan{namespaceDescription=shop.orders}").dataset.name
    'mongodb:shop.orders'
    >>> identify("", {"table": "orders"}, {"spark.redis.host": "r1"}, "org.apache.spark.sql.redis").dataset.name
    'redis://r1:6379/orders'
    """
    connector, fields = _recognized(printed, provider)
    if connector is None:
        return None
    fields = _completed(connector, fields, options, settings, direction)
    if connector.path == "files":
        path = fields.get("path", "")
        paths = _NEXT_PATH.split(path) if direction == "read" else [path]
        return Identified(connector, naming.paths(paths, format=connector.name) if path else None, None, fields)
    if catalog_table := fields.get("catalog_table") or in_catalog(fields.get("schema_table", ""), settings):
        found = identify_catalog_table(catalog_table, settings)
        fields |= _catalog_fields(connector, catalog_table.partition(".")[0], settings)
        dataset = found or Dataset(catalog_table, connector.kind, connector.name)
        return Identified(connector, dataset, None, fields, settings)
    if "schema_table" in fields and len(jdbc_catalogs(settings)) > 1:
        return Identified(connector, None, None, fields, settings)
    return _named(connector, fields, settings)


def _completed(
    connector: Connector,
    printed: dict[str, str],
    options: Mapping[str, str],
    settings: Mapping[str, str],
    direction: str,
) -> dict[str, str]:
    """Return the printed fields of a relation, completed by its options, then by settings, then by the request."""
    fields = _filled(printed, connector.options, options)
    if connector.path and (path := options.get("path")):
        fields.setdefault("table" if connector.path == "table" else "path", path)
    redacted = {key for key, value in options.items() if REDACTED in value}
    fallbacks = {
        name: keys
        for name, keys in connector.settings_of(direction).items()
        if redacted.isdisjoint(connector.options.get(name, ()))
    }
    fields = _filled(fields, fallbacks, settings)
    return {**requested_fields(settings, connector.name, fields), **fields}


def _filled(fields: dict[str, str], keys: Mapping[str, tuple[str, ...]], values: Mapping[str, str]) -> dict[str, str]:
    """Return fields with those that options or settings contain; the first key that is set and not redacted counts."""
    shown = {key: value for key, value in values.items() if REDACTED not in value}
    found = {
        name: next(filter(None, map(shown.get, listed)), "") for name, listed in keys.items() if name not in fields
    }
    return {**fields, **{name: value for name, value in found.items() if value}}


def _named(connector: Connector, fields: Mapping[str, str], settings: Mapping[str, str]) -> Identified:
    values = _with_patterns(connector, dict(fields))
    relation = values.get("relation", "")
    match = _TABLE.fullmatch(_HINT.sub("", relation.strip()))
    if sql := values.get("query") or (relation if match is None else ""):
        query = SentQuery(_GENERATED.sub("", sql), dialect_of(connector, values, sql))
        return Identified(connector, None, query, values, settings)
    if table := match["table"] if match else values.get("schema_table"):
        values["table"] = table
    return Identified(connector, table_dataset(connector, values, settings), None, values, settings)


def _recognized(printed: str, provider: str) -> tuple[Connector | None, dict[str, str]]:
    declared = connector_of_class(provider) if provider else None
    candidates = [declared] if declared is not None else list(connectors().values())
    for connector in candidates if printed else ():
        for pattern in connector.printed:
            if match := pattern.search(printed):
                return connector, {key: value for key, value in match.groupdict().items() if value}
    return declared, {}


def identify_catalog_table(name: str, settings: Mapping[str, str]) -> Dataset | None:
    """Return the table that a name with its catalog means, `pg.sales.orders`; None for other catalogs."""
    catalog, _, table = name.partition(".")
    key = f"{CATALOG}{catalog}"
    connector = connector_of_class(settings.get(key, "")) if table else None
    if connector is None:
        return None
    values = _with_patterns(connector, {**_catalog_fields(connector, catalog, settings), "table": table})
    found = table_dataset(connector, {**values, "catalog": catalog}, settings)
    return found if found is not None and found.name != f"{JDBC}:{table}" else None


def catalog_prefixes(settings: Mapping[str, str]) -> dict[str, str]:
    """Return what the names of a catalog's tables begin with, for each catalog of a connector whose server is known.

    >>> jdbc = "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog"
    >>> catalog_prefixes({"spark.sql.catalog.pg": jdbc, "spark.sql.catalog.pg.url": "jdbc:postgresql://db1/shop"})
    {'pg': 'postgres://db1:5432/shop.'}
    """
    found = {}
    for name in declared_catalogs(settings):
        table = identify_catalog_table(f"{name}.{_PROBE}", settings)
        if table is not None and ":" in table.name:
            found[name] = table.name.removesuffix(_PROBE)
    return found


def _catalog_fields(connector: Connector, catalog: str, settings: Mapping[str, str]) -> dict[str, str]:
    key = f"{CATALOG}{catalog}."
    below = {name: tuple(f"{key}{each}" for each in keys) for name, keys in connector.catalog_settings.items()}
    general = {name: keys for name, keys in connector.settings_of("read").items() if name not in connector.levels}
    return _filled(_filled({}, below, settings), general, settings)


def in_catalog(table: str, settings: Mapping[str, str]) -> str:
    """Return a table with the JDBC catalog that it is in; empty if several may have it.

    Args:
        table: `sales.daily`, as a V2 write prints it; empty for none.
        settings: The settings of connectors, with `namespace.<table>` for tables that one catalog alone has.
    """
    if not table:
        return ""
    names = jdbc_catalogs(settings)
    shown = settings.get(f"{NAMESPACE}{table}", "")
    catalog = names[0] if len(names) == 1 else shown
    return f"{catalog}.{table}" if catalog else ""


def jdbc_catalogs(settings: Mapping[str, str]) -> list[str]:
    """Return the names of the JDBC catalogs that settings declare."""
    classes = ((name, connector_of_class(value)) for name, value in declared_catalogs(settings).items())
    return [name for name, connector in classes if connector is not None and connector.name == JDBC]


def _with_patterns(connector: Connector, fields: dict[str, str]) -> dict[str, str]:
    for name, pattern in connector.patterns.items():
        if match := pattern.search(fields.get(name, "")):
            found = {key: value for key, value in match.groupdict().items() if value}
            fields = {**found, **fields, **({name: found[name]} if name in found else {})}
    return fields


def table_dataset(
    connector: Connector, fields: Mapping[str, str], settings: Mapping[str, str] = _EMPTY
) -> Dataset | None:
    """Return the dataset of a table with OpenLineage's namespace and name.

    Args:
        settings: The settings of connectors, and the user's rules, which come first.
    """
    parts = split_table(fields.get("table", ""))
    if not parts:
        return None
    rule = rule_for(settings, connector.name, ".".join(parts), fields.get("catalog", ""))
    if connector.name == JDBC:
        return jdbc_table(parts, fields.get("url", ""), rule)
    levels = connector.levels[: max(len(connector.levels) - len(parts), 0)]
    known = {**connector.defaults, **fields, **({"database": rule.database} if rule and rule.database else {})}
    name = connector.separator.join([*filter(None, map(known.get, levels)), *parts])
    namespace = rule.namespace.rstrip("/") if rule else _namespace(connector, known)
    return source_dataset(namespace, name, connector.name, connector.kind)


def _namespace(connector: Connector, known: Mapping[str, str]) -> str:
    """Return the namespace by the first template whose fields are all known; empty if there is none."""
    templates = (each for each in connector.namespace if all(known.get(name) for name in _FIELD.findall(each)))
    return next((_FIELD.sub(lambda match: known[match[1]], each) for each in templates), "")


def source_dataset(namespace: str, name: str, system: str, kind: str = "other") -> Dataset:
    """Return the dataset of a namespace and a name of OpenLineage.

    Args:
        namespace: `mongodb://host:27017`; the system's name is in its place if it is empty.
        name: `shop.orders`.
    """
    if not namespace or ":" not in namespace:
        return Dataset(f"{namespace or system}:{name}", kind, system)
    return Dataset(f"{namespace}/{name.lstrip('/')}", kind, system)


def jdbc_table(parts: list[str], url: str = "", rule: SourceRule | None = None) -> Dataset:
    """Return a table of a database.

    Args:
        url: The JDBC URL; empty if unknown.
        rule: The user's rule for the table, which comes first; None for none.

    >>> jdbc_table(["sales", "orders"], "jdbc:postgresql://db1/shop").name
    'postgres://db1:5432/shop.sales.orders'
    """
    name = ".".join(parts)
    server = read_url(url) if url else None
    if rule is not None:
        namespace = rule.namespace.rstrip("/")
        server = Server(namespace, rule.database, "", namespace.partition(":")[0])
        return source_dataset(namespace, server.name(name), JDBC, JDBC)
    return source_dataset(server.namespace if server else "", server.name(name) if server else name, JDBC, JDBC)


def is_unplaced(connector: Connector, table: str, query: str, settings: Mapping[str, str]) -> bool:
    """Return whether no setting, rule or request shows the server of a table whose server a plan does not print.

    Args:
        table: The table as printed, or with its catalog.
        settings: The settings of connectors, with the user's rules and what requests show.
    """
    if any(not _FIELD.search(each) for each in connector.namespace):
        return False
    if table.count(".") > 1 and identify_catalog_table(table, settings) is not None:
        return False
    fields = _filled(
        {"table": table, "relation": query or table, "query": query}, connector.settings_of("read"), settings
    )
    fields = {**requested_fields(settings, connector.name, fields), **fields}
    found = table_dataset(connector, _with_patterns(connector, fields), settings)
    return found is not None and found.name.startswith(f"{connector.name}:") and "://" not in found.name


def split_table(text: str) -> list[str]:
    """Return the parts of a table's name without quotes.

    >>> split_table('sales."Order Notes"'), split_table("`crm`.`a.b`"), split_table("[dbo].[t]")
    (['sales', 'Order Notes'], ['crm', 'a.b'], ['dbo', 't'])
    """
    found = _QUOTED.findall(text.strip())
    return [part for groups in found if (part := next((each for each in groups if each.strip()), "").strip())]


def dialect_of(connector: Connector, fields: Mapping[str, str], sql: str) -> str:
    """Return the dialect of a query: of the URL, the driver, the driver's jar, the quotes, in this order."""
    server = read_url(fields.get("url", ""))
    declared = str(connector.query.get("dialect", ""))
    driver = dialect_of_driver(f"{fields.get('driver', '')} {fields.get('jars', '')}")
    return (server.dialect if server else "") or declared or driver or dialect_of_quotes(sql)
