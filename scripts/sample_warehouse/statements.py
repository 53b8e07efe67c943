"""What a statement of the sample warehouse is, and how a driver runs a list of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import DataFrame, SparkSession

ROOT = "/tmp/sample_warehouse"
"""The working folder: landing files, warehouse, exports, metastore and logs."""


@dataclass
class Night:
    """What one run of a job works with.

    Attributes:
        spark: The session.
        run_date: The business date, `YYYY-MM-DD`.
        frames: DataFrames that one statement leaves for the next ones, by name.
    """

    spark: SparkSession
    run_date: str
    frames: dict[str, DataFrame] = field(default_factory=dict)


@dataclass(frozen=True)
class Statement:
    """One step of a job, known in the log by its job description.

    Attributes:
        description: The job description; unique in the application.
        run: Runs the step.
        thorough: True where only the thorough runs (`--thorough`) hold it.
        fails: True where the step is meant to fail.
    """

    description: str
    run: Callable[[Night], Any]
    thorough: bool = False
    fails: bool = False


def sql(description: str, text: str, *, thorough: bool = False, fails: bool = False) -> Statement:
    """A statement written in SQL; `{landing}`, `{exports}`, `{warehouse}` and `{run_date}` are filled in."""

    def run(night: Night) -> None:
        places = {name: f"{ROOT}/{name}" for name in ("landing", "exports", "warehouse")}
        night.spark.sql(text.format(run_date=night.run_date, **places))

    return Statement(description, run, thorough, fails)


def code(description: str, run: Callable[[Night], Any], *, thorough: bool = False, fails: bool = False) -> Statement:
    """A statement written with the DataFrame API."""
    return Statement(description, run, thorough, fails)


def run_all(night: Night, statements: Sequence[Statement], *, thorough: bool) -> None:
    """Run the statements in order, each under its job description.

    Raises:
        RuntimeError: A statement failed that should not have, or the other way round.
    """
    for statement in statements:
        if statement.thorough and not thorough:
            continue
        night.spark.sparkContext.setJobDescription(statement.description)
        failed = _run(statement, night)
        if failed != statement.fails:
            raise RuntimeError(f"{statement.description}: failed = {failed}, expected {statement.fails}")
        print(f"{'failed as planned' if failed else 'done'}: {statement.description}", flush=True)


def _run(statement: Statement, night: Night) -> bool:
    """True if the statement failed and was meant to; an unexpected failure is raised as it is."""
    if not statement.fails:
        statement.run(night)
        return False
    try:
        statement.run(night)
    except Exception as error:
        print(f"  {type(error).__name__}: {str(error).splitlines()[0][:200]}")
        return True
    return False
