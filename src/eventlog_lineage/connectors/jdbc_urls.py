"""JDBC URLs: the product, OpenLineage's namespace, and the database that names begin with (`JdbcDatasetUtils`)."""

from __future__ import annotations

import re
from typing import NamedTuple

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

_TWO_LEVELS = frozenset({"clickhouse", "mariadb", "mysql", "singlestore"})
"""Products whose database is the schema: a qualified table hides the URL's database."""

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
    r"^(?:jdbc:)?(?P<product>[a-z0-9]+)(?::[a-z0-9:+]*)?:(?:@?//|@)(?P<hosts>[^/;?]*)(?P<rest>.*)$", re.I | re.S
)
_EMBEDDED = re.compile(r"^(?:jdbc:)?(?P<product>[a-z0-9]+):(?P<database>[^;?]*)", re.I | re.S)
_DATABASE = re.compile(r"[;?&](?:databaseName|database)=([^;&]+)", re.I)
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
        """Return OpenLineage's name of a table.

        Args:
            table: The table, with or without its schema and database.
        """
        if not self.database or table.count(".") >= 2 or (self.product in _TWO_LEVELS and "." in table):
            return table
        return f"{self.database}.{table}"


def read_url(url: str) -> Server | None:
    """Return the server of a JDBC URL; None for other text.

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
    hosts, rest = match["hosts"].rpartition("@")[2].lower(), match["rest"]
    database = re.split(r"[;?]", rest.lstrip("/"), maxsplit=1)[0].strip("/") if rest.startswith("/") else ""
    named = _DATABASE.search(rest)
    if product == "oracle" and not database and hosts.count(":") == 2:  # host:1521:sid
        hosts, _, database = hosts.rpartition(":")
    if product == "sqlserver":
        database = named[1] if named else ""
    port = _PORTS.get(product)
    listed = [host if port is None or re.search(r":\d+$", host) else f"{host}:{port}" for host in hosts.split(",")]
    return Server(f"{product}://{','.join(listed)}", database, dialect_of(product), product)


def _embedded(url: str) -> Server | None:
    match = _EMBEDDED.match(url)
    if match is None or not url.startswith("jdbc:"):
        return None
    product = match["product"].lower()
    return Server(f"{product}:{match['database']}", "", dialect_of(product), product)


def dialect_of(product: str) -> str:
    """Return sqlglot's dialect of a product; empty if it has none."""
    return _DIALECTS.get(product, product if product in _KNOWN else "")


def dialect_of_driver(text: str) -> str:
    """Return the dialect of a driver's class or jar in a text; empty if there is none, or if there are several."""
    found = {dialect for dialect, words in _DRIVERS if any(word in text for word in words)}
    return found.pop() if len(found) == 1 else ""


def dialect_of_quotes(sql: str) -> str:
    """Return the dialect that the quotes of a query show; empty for a query without quotes.

    >>> dialect_of_quotes("select `a` from t"), dialect_of_quotes('select "a" from [t]'), dialect_of_quotes("select 1")
    ('mysql', 'tsql', '')
    """
    bare = re.sub(r"'(?:[^']|'')*'", "''", sql)
    if "`" in bare:
        return "mysql"
    if re.search(r"(?<![\w\])])\[[A-Za-z_][^\]\n]*\]", bare):
        return "tsql"
    return "postgres" if '"' in bare else ""
