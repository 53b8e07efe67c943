"""Runs of jobs that have nothing to do with each other: many of them share the harvests of one store."""

from __future__ import annotations

from collections.abc import Sequence

from support.stores.nights import Night

KINDS = {"amount": ("total", "AGGREGATION"), "tax": ("tax", "IDENTITY")}


def source(job: str) -> str:
    """The table that a job reads."""
    return f"spark_catalog.raw.{job}"


def target(job: str) -> str:
    """The table that a job writes."""
    return f"spark_catalog.sales.{job}"


def edges(job: str, columns: Sequence[str] = ("amount",)) -> list[tuple[str, str, str]]:
    """Lineage of a job's table, of columns of its source."""
    return [(f"{source(job)}!{column}", *KINDS[column]) for column in columns]


def run(job: str, day: int = 0, columns: Sequence[str] = ("amount",), **options: object) -> Night:
    """A run of a job with one statement, which writes the job's table."""
    made = application(job, day)
    made.statement(edges(job, columns), target=target(job), app=f"{job}-{day}", **options)
    return made


def application(job: str, day: int = 0, **facts: object) -> Night:
    """A run of a job without a statement."""
    made = Night(day)
    made.app(f"{job}-{day}", f"{job} {made.start:%Y-%m-%d}", **facts)
    return made
