"""A module's statements on another release: `python -m lakehouse.lenient MODULE NAME ROOT PACKAGES`.

What the release refuses is left out: `ROOT/refused.jsonl` has a line for each such statement, and for each function of
the module that could not go on.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from pyspark.sql import SparkSession
from pyspark.sql.streaming import DataStreamWriter

from lakehouse.session import Shop


def main() -> None:
    """Runs the statements of the module that the command line names."""
    module = importlib.import_module(f"lakehouse.{sys.argv.pop(1)}")
    refused = Path(sys.argv[2]) / "refused.jsonl"

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

    Shop.step = lenient(Shop.step, lambda *arguments: str(arguments[1]))  # type: ignore[method-assign]
    for each in _modules_with_steps():
        for name, function in _steps(each):
            setattr(each, name, lenient(function, lambda *_, name=name: f"{name}()"))
    _without_available_now()
    patient = "--conf spark.network.timeout=7200s --conf spark.executor.heartbeatInterval=3600s"
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"{patient} {os.environ['PYSPARK_SUBMIT_ARGS']}"  # others measure beside it
    module.main()
    running = SparkSession._instantiatedSession
    if running is not None:
        running.stop()


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
