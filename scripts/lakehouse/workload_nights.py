"""What workloads of three nights share: the steps that a format has in its own words, and tables of earlier nights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pyspark.sql import DataFrame

from lakehouse.workload import CatalogNames, Job, Step
from lakehouse.workload_run import named_datasets

Sql = Callable[[str], str]
"""Puts catalogs into a text."""


class NightSteps:
    """The steps that one format has in its own words.

    Args:
        sql: Puts catalogs into a text.
    """

    def __init__(self, sql: Sql) -> None:
        self.sql = sql
        self.names = CatalogNames(sql)
        self.step = self.names.step
        self.table = self.names.table

    def registered(self, night: int) -> tuple[Step, ...]:
        """Return what a later night begins with."""
        return ()

    def night(self, night: int) -> tuple[Step, ...]:
        """Return the own steps of a night."""
        return {1: self.first, 2: self.second, 3: self.third}[night]()

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""
        return ()

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night."""
        return ()

    def third(self) -> tuple[Step, ...]:
        """Return those of the third night."""
        return ()


def hudi_tables_again(sql: Sql, tables: Mapping[int, str], night: int) -> tuple[Step, ...]:
    """Return the definitions of the Hudi tables that earlier nights made, over their folders.

    Args:
        sql: Puts catalogs into a text.
        tables: The tables of each night.
        night: The night that begins with them.
    """
    names = " ".join(tables[each] for each in range(1, night)).split()
    return tuple(
        Step(
            f"{name} again",
            sql(f"CREATE TABLE IF NOT EXISTS {name} USING hudi LOCATION '{{root}}/warehouse/")
            + sql(name).removeprefix("spark_catalog.").replace(".", ".db/")
            + "'",
        )
        for name in names
    )


def add_datasets(names: dict[str, str], steps: Iterable[Step], layers: Mapping[str, str], root: str) -> None:
    """Add the names that logs have for the datasets of steps: tables of a layer, `x_` and `p_` for exports and the lake.

    Args:
        names: Names of the truth to those of logs; updated.
        steps: The steps of a night.
        layers: Letter to catalog and namespace.
        root: The workload's folder, as a URI.
    """
    places = {f"{letter.lower()}_": f"{place}." for letter, place in layers.items()}
    places |= {"x_": f"{root}/export/", "p_": f"{root}/lake/"}
    for name in sorted(named_datasets(steps)):
        letter, mark, rest = name.partition("_")
        names.setdefault(name, f"{places.get(letter + mark, '.')}{rest}")


def created(fmt: str, sql: Sql) -> Callable[..., Step]:
    """Return what makes the step of a CREATE TABLE AS SELECT in the layer `M`."""

    def made(name: str, query: str, columns: str, conditions: str = "") -> Step:
        text = sql(f"CREATE TABLE M.{name} USING {fmt} AS {query}")
        return Step(name, text, f"create m_{name}", columns, conditions)

    return made


def saved_as_table(fmt: str, sql: Sql) -> Callable[..., Step]:
    """Return what makes the step of a frame that is saved as a table in the layer `M`."""

    def saved(name: str, make: Callable[[Job], DataFrame], columns: str, conditions: str = "") -> Step:
        def run(job: Job) -> None:
            make(job).write.format(fmt).saveAsTable(sql(f"M.{name}"))

        return Step(name, run, f"create m_{name}", columns, conditions)

    return saved
