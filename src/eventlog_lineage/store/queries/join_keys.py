"""The columns that jobs join with each other, and the model that these joins imply."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.schema.ddl import sql_text

from .asked_names import Target, find_target
from .lookups import labels

_EQUAL = ("=", "<=>")
_NOT_A_WORD = re.compile(r"\W+")
_TYPE = re.compile(r"[A-Za-z_]\w*")


def keys(store: OpenStore, asked: str | None = None) -> Answer:
    """Return the columns that jobs join with each other, the pairs of most jobs first.

    Args:
        asked: A dataset or column, which is on the left then, or a job; None for all.

    Returns:
        dataset, column_name, operator, joined_dataset, joined_column, runs, first_seen, last_seen, jobs, expression.

    Raises:
        UsageError: The name means nothing in the store, or several things.
    """
    target = find_target(store, asked) if asked else Target()
    wanted = {"job": target.job, "dataset": target.dataset, "column": target.column}
    return store.ask(sql_text("queries/keys"), wanted)


def entity_lines(store: OpenStore, found: Answer) -> Iterator[str]:
    """Yield the model that joins imply as a Mermaid `erDiagram`.

    Logs do not show how many rows match: each relation is many to many.

    Args:
        found: The answer of `keys`; pairs that are not compared for equality are left out.
    """
    pairs = [row for row in found.records() if row["operator"] in _EQUAL]
    columns: dict[str, dict[str, None]] = {}
    for row in pairs:
        columns.setdefault(str(row["dataset"]), {})[str(row["column_name"])] = None
        columns.setdefault(str(row["joined_dataset"]), {})[str(row["joined_column"])] = None
    types, known = _types(store, list(columns)), labels(store, columns)
    yield "erDiagram"
    for dataset in sorted(columns):
        label = f"[{_quoted(known[dataset])}]" if dataset in known else ""
        yield f"    {_quoted(dataset)}{label} {{"
        for column in columns[dataset]:
            kind = _TYPE.match(types.get((dataset, column.lower()), ""))
            name = _NOT_A_WORD.sub("_", column)
            comment = f' "{_plain(column)}"' if name != column else ""
            yield f"        {kind[0] if kind else 'unknown'} {name}{comment}"
        yield "    }"
    for row in pairs:
        label = f"{row['column_name']} = {row['joined_column']}"
        yield f'    {_quoted(row["dataset"])} }}o--o{{ {_quoted(row["joined_dataset"])} : "{_plain(label)}"'


def _types(store: OpenStore, datasets: list[str]) -> dict[tuple[str, str], str]:
    query = """
        SELECT dataset, lower(column_name), any_value(data_type) FROM schema_versions
        WHERE valid_to IS NULL AND dataset IN (SELECT unnest(?))
        GROUP BY ALL
    """
    return {(str(dataset), str(column)): str(kind or "") for dataset, column, kind in store.ask(query, [datasets]).rows}


def _quoted(dataset: object) -> str:
    return f'"{_plain(dataset)}"'


def _plain(text: object) -> str:
    return " ".join(str(text).replace('"', "'").split())
