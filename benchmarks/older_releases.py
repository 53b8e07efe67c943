"""The statements of scripts/lakehouse on releases that tests/lakehouse_logs has no log of, against the same truth.

Run them (Java 17, and 11 for what needs it; Spark fetches the jars), then compare:

    PYTHONPATH=src python benchmarks/older_releases.py run FOLDER 3.3=PYTHON 3.4=PYTHON 3.2=PYTHON@JAVA_11
    PYTHONPATH=src python benchmarks/older_releases.py compare FOLDER

`run FOLDER SPARK=PYTHON… NAME…` makes the logs of some releases only, `NAME/MODULE` one of them; `compare FOLDER NAME…`
prints what is wrong with each statement. A statement that the release refuses is left out: `NAME.snapshots` next to the
log has its error.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]

from lakehouse import loader  # noqa: E402 - their folders are on the path only now
from make_lakehouse_logs import publish  # noqa: E402 - likewise
from make_lakehouse_logs import run as run_workload  # noqa: E402 - likewise
from support.lakehouse.statements import TracedLog  # noqa: E402 - likewise
from support.sample_logs_truth import Statement, load_truth  # noqa: E402 - likewise

TRUTH = ROOT / "tests" / "lakehouse_logs"
IVY = "--conf spark.jars.ivy=/tmp/older_ivy"


@dataclass(frozen=True)
class Release:
    """A release of a table format on a Spark.

    Attributes:
        name: `FORMAT-VERSION`, with the Spark where there is more than one.
        spark: Its version, two numbers.
        packages: Maven coordinates.
        modules: The variants of `scripts/lakehouse/shop` to run.
    """

    name: str
    spark: str
    packages: str
    modules: tuple[str, ...]


_DELTA = ("delta", "delta_extended")
_BARE = ("delta_bare", "delta_extended")
_ICEBERG = ("iceberg", "iceberg_extended")
_HUDI = ("hudi",)
_PAIMON = ("paimon",)
_RUNTIME = "org.apache.iceberg:iceberg-spark-runtime"
RELEASES = (
    Release("delta-1.0.1", "3.1", "io.delta:delta-core_2.12:1.0.1", _BARE),
    Release("delta-2.0.2", "3.2", "io.delta:delta-core_2.12:2.0.2", _BARE),
    Release("delta-2.1.1", "3.3", "io.delta:delta-core_2.12:2.1.1", _BARE),
    Release("delta-2.4.0", "3.4", "io.delta:delta-core_2.12:2.4.0", _BARE),
    Release("delta-3.0.0", "3.5", "io.delta:delta-spark_2.12:3.0.0", _DELTA),
    Release("delta-3.1.0", "3.5", "io.delta:delta-spark_2.12:3.1.0", _DELTA),
    Release("delta-3.2.1", "3.5", "io.delta:delta-spark_2.12:3.2.1", _DELTA),
    Release("delta-4.0.0", "4.0", "io.delta:delta-spark_2.13:4.0.0", _DELTA),
    Release("iceberg-1.3.1", "3.2", f"{_RUNTIME}-3.2_2.12:1.3.1", _ICEBERG),
    Release("iceberg-1.4.3", "3.3", f"{_RUNTIME}-3.3_2.12:1.4.3", _ICEBERG),
    Release("iceberg-1.4.2", "3.4", f"{_RUNTIME}-3.4_2.12:1.4.2", _ICEBERG),
    Release("iceberg-1.7.1", "3.5", f"{_RUNTIME}-3.5_2.12:1.7.1", _ICEBERG),
    Release("iceberg-1.10.1", "4.0", f"{_RUNTIME}-4.0_2.13:1.10.1", _ICEBERG),
    Release("hudi-0.12.2", "3.3", "org.apache.hudi:hudi-spark3.3-bundle_2.12:0.12.2", _HUDI),
    Release("hudi-0.14.0", "3.4", "org.apache.hudi:hudi-spark3.4-bundle_2.12:0.14.0", _HUDI),
    Release("hudi-0.15.0", "3.5", "org.apache.hudi:hudi-spark3.5-bundle_2.12:0.15.0", _HUDI),
    Release("hudi-1.0.2", "3.5", "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.0.2", _HUDI),
    Release("paimon-0.8.0", "3.4", "org.apache.paimon:paimon-spark-3.4:0.8.0", _PAIMON),
    Release("paimon-0.9.0-3.3", "3.3", "org.apache.paimon:paimon-spark-3.3:0.9.0", _PAIMON),
    Release("paimon-0.9.0-3.5", "3.5", "org.apache.paimon:paimon-spark-3.5:0.9.0", _PAIMON),
    Release("hive-3.1", "3.1", "", ("hive",)),
    Release("hive-3.3", "3.3", "", ("hive",)),
    Release("hive-4.1", "4.1", "", ("hive",)),
    Release("hive-4.3", "4.3", "", ("hive",)),
    Release(
        "kafka-4.1",
        "4.1",
        "org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.1,org.apache.kafka:kafka_2.13:3.9.1",
        ("kafka",),
    ),
)


def run(folder: Path, arguments: list[str]) -> None:
    """Makes the logs of the releases whose Spark is given: a folder for each, with the logs of its modules."""
    pythons = dict(each.split("=", 1) for each in arguments if "=" in each)
    names = {each for each in arguments if "=" not in each}
    for release in RELEASES:
        modules = [each for each in release.modules if not names or {release.name, f"{release.name}/{each}"} & names]
        if release.spark in pythons:
            for module in modules:
                workload = loader.load("shop", module)
                if ":0.12." in release.packages:  # there is none before Hudi 0.13
                    kept = {key: value for key, value in workload.settings.items() if key != "spark.kryo.registrator"}
                    workload = replace(workload, settings=kept)
                target = folder / release.name
                root = Path(workload.root)
                try:
                    written = run_workload(workload, module, pythons[release.spark], release.packages, IVY)
                    publish(module, written, root / "snapshots.jsonl", target)
                except (RuntimeError, ValueError) as error:
                    print(f"{release.name} {module}: {error}", flush=True)
                    target.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(root / "driver.out", target / f"{module}.driver.out")
                    continue
                print(f"{release.name} {module}: made", flush=True)


def compare(folder: Path, names: list[str]) -> None:
    """Prints a row per release, or all differences of those that are named."""
    for release in RELEASES:
        if (folder / release.name).exists() and (not names or release.name in names):
            counts = [checked(folder / release.name, module, bool(names)) for module in release.modules]
            print(
                "| {} | {} | {} | {} | {} | {} |".format(
                    release.name, release.spark, *map(sum, zip(*counts, strict=True))
                )
            )


def checked(folder: Path, module: str, printed: bool) -> tuple[int, int, int, int]:
    """Holds a log against the truth: statements, those told in full, those that differ with a gap, and without one."""
    path = folder / f"{module}.zstd"
    if not path.exists():
        return (0, 0, 0, 0)
    refused = refusals(folder / f"{module}.snapshots")
    log = TracedLog(path)
    there = {log.named(each) for each in log.traced}
    counts = [0, 0, 0, 0]
    for truth in truths(module):
        if truth.kind == "helper" or truth.description in refused or truth.description not in there:
            if printed and truth.kind != "helper":
                print(f"-- {path.stem}/{truth.description}: {refused.get(truth.description, 'never run')}")
            continue
        wrong = log.wrong(truth)
        if "is failed, not succeeded" in wrong:  # a query that the release breaks off
            continue
        gap = any(line.startswith("gap ") for line in wrong) or (len(wrong) == 1 and has_gap(log, truth.description))
        counts[0] += 1
        counts[1 if not wrong else 2 if gap else 3] += 1
        if wrong and printed:
            print("\n".join([f"{folder.name} {path.stem}/{truth.description}", *(f"    {line}" for line in wrong)]))
    return (counts[0], counts[1], counts[2], counts[3])


def has_gap(log: TracedLog, description: str) -> bool:
    """Has a statement without any edge a gap that says so?"""
    return any(each.lineage.gaps for each in log.traced if log.named(each) == description)


def refusals(path: Path) -> dict[str, str]:
    """Return what the release said of the statements that it refused."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {each["statement"]: each["error"] for each in rows if each["error"]}


def truths(module: str) -> list[Statement]:
    """Return the truth about a variant."""
    found: list[Statement] = load_truth(TRUTH / f"{module.removesuffix('_bare')}.truth")
    return found


if __name__ == "__main__":
    (run if sys.argv[1] == "run" else compare)(Path(sys.argv[2]), sys.argv[3:])
