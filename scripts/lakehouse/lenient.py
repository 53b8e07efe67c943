"""A module's statements on another release: `python -m lakehouse.lenient MODULE[:FUNCTION,…] NAME ROOT PACKAGES`.

Functions are named to run these alone, of those that take a shop. What the release refuses is left out:
`ROOT/refused.jsonl` has a line for each such statement, and for each function of the module that could not go on.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

from pyspark.sql import SparkSession
from pyspark.sql.streaming import DataStreamWriter
from pyspark.sql.utils import ParseException

from lakehouse.session import Shop, Statement

_SETTINGS = (
    "spark.network.timeout=7200s",  # a machine that stops for a while ends no job
    "spark.executor.heartbeatInterval=3600s",
    "spark.databricks.delta.allowArbitraryProperties.enabled=true",
)


def main() -> None:
    """Runs the statements of the module that the command line names."""
    name, _, functions = sys.argv.pop(1).partition(":")
    module = importlib.import_module(f"lakehouse.{name}")
    chosen = functions.split(",") if functions else [each for each, _ in _steps(module)]
    refused = Path(sys.argv[2]) / "refused.jsonl"
    if "hudi" in name and ":0.12." in sys.argv[3]:
        module.CONF.pop("spark.kryo.registrator")  # there is none before 0.13

    def lenient(action: Callable[..., object], named: Callable[..., str]) -> Callable[..., object]:
        @functools.wraps(action)
        def attempted(*arguments: object, **options: object) -> object:
            try:
                return action(*arguments, **options)
            except Exception as error:
                reason = " ".join(str(error).split())[:300]
                record = {"statement": named(*arguments), "error": type(error).__name__, "reason": reason}
                with refused.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(record) + "\n")
                return None

        return attempted

    opened = Shop.__init__

    def open_shop(shop: Shop, spark: SparkSession, namespace: str, snapshot: Callable[..., object], file: Path) -> None:
        opened(shop, spark, namespace, lenient(snapshot, lambda table: f"snapshot of {table}"), file)  # type: ignore[arg-type]

    Shop.__init__ = open_shop  # type: ignore[method-assign]
    Shop.run = _run  # type: ignore[method-assign]
    Shop.step = lenient(Shop.step, lambda *arguments: str(arguments[1]))  # type: ignore[method-assign]
    for each in _modules_with_steps():
        for name, function in _steps(each):
            left_out = each is module and name not in chosen
            action = (lambda *_: None) if left_out else lenient(function, lambda *_, name=name: f"{name}()")
            setattr(each, name, action)
    _without_available_now()
    more = " ".join(f"--conf {setting}" for setting in _SETTINGS)
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"{more} {os.environ['PYSPARK_SUBMIT_ARGS']}"
    module.main()
    running = SparkSession._instantiatedSession
    if running is not None:
        running.stop()


def _run(shop: Shop, statements: Iterable[Statement], tables: Iterable[str] = ()) -> None:
    """`Shop.run`, with tables by their bare names where a command of the release takes no catalog (Delta 2)."""
    for name, sql in statements:

        def action(sql: str = sql) -> object:
            try:
                return shop.spark.sql(sql.format(ns=shop.namespace)).collect()
            except ParseException:
                return shop.spark.sql(sql.format(ns=shop.namespace.rpartition(".")[2])).collect()

        shop.step(name, action, tables)


def _modules_with_steps() -> list[ModuleType]:
    return [module for name, module in sys.modules.items() if name.startswith("lakehouse.")]


def _steps(module: ModuleType) -> list[tuple[str, Callable[..., object]]]:
    """A module's functions of a shop, each of which stands for itself."""
    functions = inspect.getmembers(module, inspect.isfunction)
    return [(name, each) for name, each in functions if next(iter(inspect.signature(each).parameters), "") == "shop"]


def _without_available_now() -> None:
    """Before Spark 3.3 a stream that stops at the end of its source is one of a single batch."""
    trigger = DataStreamWriter.trigger
    if "availableNow" not in inspect.signature(trigger).parameters:
        DataStreamWriter.trigger = lambda writer, **_: trigger(writer, once=True)  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
