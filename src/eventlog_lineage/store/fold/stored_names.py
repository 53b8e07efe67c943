"""The store's names that Python makes: of jobs, by the rule of `history`, and OpenLineage's of datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.datasets.openlineage import openlineage_name
from eventlog_lineage.history.job_names import JobNameRule, job_namer
from eventlog_lineage.model import Dataset
from eventlog_lineage.store.schema.sql_files import sql_text

if TYPE_CHECKING:
    import duckdb

_BATCH = 100_000
"""Distinct combinations of names that are in memory at a time."""

_CATALOGS = """
    SELECT catalog, namespace FROM catalogs
    QUALIFY row_number() OVER (PARTITION BY catalog ORDER BY shown_at DESC NULLS LAST, namespace) = 1
"""

_PARTS = ("app_name", "description", "target", "command")


def stored_rule(connection: duckdb.DuckDBPyConnection) -> JobNameRule | None:
    """The rule that the store's jobs are named by; None for a new store."""
    row = connection.execute("SELECT value FROM store_facts WHERE fact = 'job_name_rule'").fetchone()
    return JobNameRule(tuple(str(row[0]).split("\n"))) if row else None


def name_jobs(connection: duckdb.DuckDBPyConnection, rule: JobNameRule, *, all_of_them: bool) -> None:
    """Name the jobs of the applications that are due, or of all, in `executions`.

    Only the distinct combinations of application, description, target and command come to Python.
    """
    name_statements(connection, rule, "applications" if all_of_them else "due_applications")
    connection.execute(sql_text("names/job_names"))
    connection.execute("DELETE FROM store_facts WHERE fact = 'job_name_rule'")
    connection.execute("INSERT INTO store_facts VALUES ('job_name_rule', ?)", ["\n".join(rule.patterns)])


def name_statements(connection: duckdb.DuckDBPyConnection, rule: JobNameRule, applications: str) -> None:
    """Make the temporary table `named_statements`: the job of each statement of some applications.

    Args:
        connection: The store's database; read-only is enough.
        rule: How jobs are named.
        applications: The table with the applications' keys.
    """
    connection.execute(sql_text("names/statements_to_name", applications=applications))
    _make_bases(connection, rule)
    connection.execute(sql_text("names/job_numbers"))


def _make_bases(connection: duckdb.DuckDBPyConnection, rule: JobNameRule) -> None:
    """Make the temporary table `job_bases`: names for the combinations in `unnamed_statements`, without numbers."""
    parts = ", ".join(_PARTS)
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE combinations AS "
        f"SELECT row_number() OVER () AS number, * FROM (SELECT DISTINCT {parts} FROM unnamed_statements)"
    )
    columns = ", ".join(f"{part} VARCHAR" for part in (*_PARTS, "base"))
    connection.execute(f"CREATE OR REPLACE TEMP TABLE job_bases ({columns})")
    namer = job_namer(rule)
    first = 1
    while rows := connection.execute(
        f"SELECT {parts} FROM combinations WHERE number >= ? AND number < ?", [first, first + _BATCH]
    ).fetchall():
        _insert(connection, "job_bases", [(*row, namer(*row)) for row in rows])
        first += _BATCH


def identify_datasets(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary table `dataset_identities`: `dataset_facts` with OpenLineage's namespace and name."""
    facts = connection.execute("SELECT dataset, kind, location FROM dataset_facts").fetchall()
    connection.execute('CREATE OR REPLACE TEMP TABLE spoken (dataset VARCHAR, namespace VARCHAR, "name" VARCHAR)')
    catalogs = dict(connection.execute(_CATALOGS).fetchall())
    named: list[tuple[str, ...]] = [
        (name, *openlineage_name(Dataset(name, kind, location=location), catalogs)) for name, kind, location in facts
    ]
    _insert(connection, "spoken", named)
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE dataset_identities AS "
        'SELECT f.*, s.namespace, s."name" FROM dataset_facts f JOIN spoken s USING (dataset)'
    )


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: list[tuple[str, ...]]) -> None:
    """Insert texts, a column at a time: DuckDB takes lists as values."""
    if rows:
        columns = [list(column) for column in zip(*rows, strict=True)]
        connection.execute(f"INSERT INTO {table} SELECT {', '.join(['unnest(?)'] * len(columns))}", columns)
