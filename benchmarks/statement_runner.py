"""Runs statements on one real Spark; called by `random_statements.py` and `function_sweep.py` with that Spark's Python.

Usage: `python statement_runner.py STATEMENTS.jsonl FOLDER [--explain|--trees] [KEY=VALUE…]`. A line of the file has
`name`, `sql` or `code` (Python with `spark`, `F`, `Window` and `root` at hand), `settings` of the session and `modes`
to plan it in; statements without a name prepare what others read. The event log is below FOLDER/logs. With
`--explain` the queries are planned in each explain mode, with default and raised limits, and not executed: FOLDER/logs
has a log of each. With `--trees` the analyzed and the optimized plan of each are written to FOLDER/trees.jsonl, as
objects. Failures are printed.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812

ARGUMENTS = [each for each in sys.argv[1:] if each not in {"--explain", "--trees"}]
STATEMENTS, ROOT, SETTINGS = Path(ARGUMENTS[0]), Path(ARGUMENTS[1]).absolute(), ARGUMENTS[2:]
TREES = "--trees" in sys.argv
EXPLAINS = TREES or "--explain" in sys.argv
COUNT = [0]
EVENTS = "org.apache.spark.sql.execution.ui"
LIMIT = "spark.sql.debug.maxToStringFields"
FIXED = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.default.parallelism": "1",
    "spark.sql.warehouse.dir": str(ROOT / "warehouse"),
    "spark.eventLog.enabled": str(not EXPLAINS).lower(),
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
    "spark.eventLog.dir": f"file://{ROOT}/logs",
    "spark.sql.codegen.wholeStage": "true",
    "spark.driver.extraJavaOptions": f"-Dderby.system.home={ROOT}/derby",
}


def start():
    """The session."""
    (ROOT / "logs").mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").appName("random statements")
    for key, value in {**FIXED, **dict(each.split("=", 1) for each in SETTINGS)}.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


VARIANTS = ("formatted", "formatted-wide", "extended", "extended-wide")


def plans(spark, frame, variants):
    """The plan texts of a query, by variant."""
    modes = spark._jvm.org.apache.spark.sql.execution.ExplainMode
    execution = frame._jdf.queryExecution()
    for variant in variants:
        mode, _, wide = variant.partition("-")
        spark.conf.set(LIMIT, "2000" if wide else "25")
        yield variant, execution.explainString(modes.fromString(mode))
    spark.conf.unset(LIMIT)


def log_plans(spark, name, frame, logs, modes=VARIANTS):
    """Adds a query's plans to the logs, as its execution's start does (`SQLExecution.withNewExecutionId`)."""
    for number, (variant, text) in enumerate(plans(spark, frame, modes)):
        if variant not in logs:
            logs[variant] = (ROOT / "logs" / f"local-{variant}").open("w", encoding="utf-8")
            application = {"App Name": variant, "App ID": f"local-{variant}", "Timestamp": number, "User": "spark"}
            for event in (
                {"Event": "SparkListenerLogStart", "Spark Version": spark.version},
                {"Event": "SparkListenerApplicationStart", **application},
            ):
                logs[variant].write(json.dumps(event, separators=(",", ":")) + "\n")
        execution = {"executionId": COUNT[0], "rootExecutionId": COUNT[0], "description": name, "details": ""}
        info = {"nodeName": "", "simpleString": "", "children": [], "metadata": {}, "metrics": []}
        plan = {"physicalPlanDescription": text, "sparkPlanInfo": info, "time": COUNT[0], "modifiedConfigs": {}}
        event = {"Event": f"{EVENTS}.SparkListenerSQLExecutionStart", **execution, **plan}
        logs[variant].write(json.dumps(event, separators=(",", ":")) + "\n")
    COUNT[0] += 1


def items(sequence):
    """The items of a Scala sequence."""
    return [sequence.apply(place) for place in range(sequence.size())]


def expands(plan):
    """The projections of the `Expand`s in a plan, which Spark's JSON does not have, in the order of that JSON."""
    own = []
    if plan.getClass().getSimpleName() == "Expand":
        own.append([[json.loads(each.toJSON()) for each in items(one)] for one in items(plan.projections())])
    return [*own, *(found for child in items(plan.children()) for found in expands(child))]


def tree(plan):
    """A plan's `toJSON`, with the projections of its `Expand`s."""
    nodes = json.loads(plan.toJSON())
    found = [node for node in nodes if node["class"].endswith(".Expand")]
    for node, projections in zip(found, expands(plan) if found else (), strict=True):
        node["projections"] = projections
    return json.dumps(nodes)


def write_trees(spark, name, frame):
    """Adds a query's analyzed and optimized plans, and its text, to the file of trees."""
    execution = frame._jdf.queryExecution()
    trees = {"analyzed": tree(execution.analyzed()), "optimized": tree(execution.optimizedPlan())}
    text = dict(plans(spark, frame, ["extended-wide"]))["extended-wide"]
    with (ROOT / "trees.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"name": name, **trees, "text": text}) + "\n")


def run(spark, statement, logs):
    """Runs one statement, or plans it."""
    if "code" in statement:
        names = {"spark": spark, "F": F, "Window": Window, "root": str(ROOT)}
        exec(statement["code"], names)
        frame = names.get("frame")
        if frame is None:
            return
    else:
        frame = spark.sql(statement["sql"])
    if TREES and "name" in statement:
        write_trees(spark, statement["name"], frame)
    elif EXPLAINS and "name" in statement:
        log_plans(spark, statement["name"], frame, logs, modes=statement.get("modes", VARIANTS))
    elif spark.version < "3":
        frame._jdf.collectAsList()  # `collect` has a call site of its own
    else:
        frame.collect()


def main():
    """Runs them all."""
    spark = start()
    logs: dict[str, Any] = {}
    for line in STATEMENTS.read_text(encoding="utf-8").splitlines():
        statement = json.loads(line)
        spark.sparkContext.setJobDescription(statement.get("name"))
        spark.sparkContext.setLocalProperty("callSite.short", statement.get("name"))  # the description up to 2.4
        settings = statement.get("settings", {})
        for key, value in settings.items():
            spark.conf.set(key, value)
        try:
            run(spark, statement, logs)
        except Exception as error:  # the statement is left out
            reason = " ".join(str(error).split())[:300]
            print(json.dumps({"name": statement.get("name"), "error": reason}), flush=True)
        for key in settings:
            spark.conf.unset(key)
    spark.stop()
    for log in logs.values():
        log.close()


if __name__ == "__main__":
    main()
