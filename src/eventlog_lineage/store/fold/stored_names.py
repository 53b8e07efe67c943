"""Names that are made in Python: of jobs, by the rule of `history`, and OpenLineage's names of datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.datasets.openlineage import openlineage_name
from eventlog_lineage.history.job_names import JobNameRule, job_namer
from eventlog_lineage.model import Dataset
from eventlog_lineage.store.schema.sql_files import sql_text
from eventlog_lineage.store.schema.store_facts import read_fact, write_fact

from .steps import Fold, python_step

if TYPE_CHECKING:
    import duckdb

_BATCH = 100_000
"""Distinct combinations of names that are in memory at a time."""

_PARTS = ("app_name", "description", "target", "command")
_RULE = "job_name_rule"


def stored_rule(connection: duckdb.DuckDBPyConnection) -> JobNameRule | None:
    """Return the rule that the store's jobs are named by; None for a new store.

    Args:
        connection: The store's database; read-only is enough.
    """
    patterns = read_fact(connection, _RULE)
    return None if patterns is None else JobNameRule(tuple(patterns.split("\n")))


@python_step(changes="store_facts")
def keep_rule(fold: Fold) -> None:
    """Write down the rule that the jobs are named by."""
    write_fact(fold.connection, _RULE, "\n".join(fold.rule.patterns))


@python_step(reads="unnamed_statements", makes="combinations job_bases")
def name_job_bases(fold: Fold) -> None:
    """Name the jobs of `unnamed_statements`, without the numbers of statements that share a name."""
    _make_bases(fold.connection, fold.rule)


def name_statements(connection: duckdb.DuckDBPyConnection, rule: JobNameRule, applications: str) -> None:
    """Make the temporary table `named_statements`: the job of each statement of some applications.

    Args:
        connection: The store's database; read-only is enough.
        rule: How jobs are named.
        applications: The table with the applications' keys.
    """
    connection.execute(sql_text("names/statements_to_name", applications=applications, prefix="", slices=1, slice=0))
    _make_bases(connection, rule)
    connection.execute(sql_text("names/job_numbers"))


def _make_bases(connection: duckdb.DuckDBPyConnection, rule: JobNameRule) -> None:
    """Make the temporary table `job_bases`; only distinct combinations of its columns come to Python.

    Args:
        connection: The draft's database, with `unnamed_statements`.
        rule: How jobs are named.
    """
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


@python_step(reads="dataset_facts catalogs", makes="openlineage_names dataset_identities")
def identify_datasets(fold: Fold) -> None:
    """Make the temporary table `dataset_identities`: `dataset_facts` with OpenLineage's namespace and name."""
    connection = fold.connection
    facts = connection.execute("SELECT dataset, kind, location FROM dataset_facts").fetchall()
    catalogs = dict(connection.execute(sql_text("queries/catalog_namespaces")).fetchall())
    connection.execute(
        'CREATE OR REPLACE TEMP TABLE openlineage_names (dataset VARCHAR, namespace VARCHAR, "name" VARCHAR)'
    )
    named: list[tuple[str, ...]] = [
        (name, *openlineage_name(Dataset(name, kind, location=location), catalogs)) for name, kind, location in facts
    ]
    _insert(connection, "openlineage_names", named)
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE dataset_identities AS "
        'SELECT f.*, o.namespace, o."name" FROM dataset_facts f JOIN openlineage_names o USING (dataset)'
    )


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: list[tuple[str, ...]]) -> None:
    """Insert texts, a column at a time: DuckDB takes lists as values.

    Args:
        connection: The draft's database.
        table: The table to insert into.
        rows: The rows; all columns are texts.
    """
    if rows:
        columns = [list(column) for column in zip(*rows, strict=True)]
        connection.execute(f"INSERT INTO {table} SELECT {', '.join(['unnest(?)'] * len(columns))}", columns)
