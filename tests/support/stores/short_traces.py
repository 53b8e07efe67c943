"""A trace in fewer columns, made row by row of the whole one: what the query of a short trace is compared with."""

from __future__ import annotations

from typing import Any

from eventlog_lineage.store.queries.open_store import Answer

ALWAYS = ("depth", "source", "target", "job")


def shortened(found: Answer) -> Answer:
    """A trace in fewer columns; those without a value are left out, and the dependency if there is a transformation."""
    rows = [_short(dict(zip(found.names, row, strict=True))) for row in found.rows]
    names = ("depth", "source", "target", "dependency", "transformation", "masked", "expression", "last_read", "job")
    used = [name for name in names if name in ALWAYS or any(row[name] for row in rows)]
    if "transformation" in used:
        used.remove("dependency")
    return Answer(tuple(used), [tuple(row[name] for name in used) for row in rows])


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a short trace; a consumer has no target: its user and the columns that it reads are shown."""
    short = {
        "depth": row["depth"],
        "source": _name(row["source_dataset"], row["source_column"]),
        "target": _name(row["target_dataset"], row["target_column"]),
        "dependency": row["dependency"],
        "transformation": row["transformation"],
        "masked": "yes" if row["masked"] else "",
        "expression": row["expression"],
        "last_read": row.get("last_read"),
        "job": row["job_name"],
    }
    if row["target_dataset"] is None:
        short["target"] = f"read by {row.get('user_name') or 'a query'}"
        short["expression"] = ", ".join(map(str, row.get("columns") or ()))
    return short


def _name(dataset: str | None, column: str | None) -> str:
    return ".".join(filter(None, (dataset, column)))
