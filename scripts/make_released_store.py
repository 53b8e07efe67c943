"""Make tests/store/released/VERSION: a small store of a released version, its logs, and what that version answers.

Run once for a release, with a checkout of it:

    git worktree add /tmp/release v0.3.0
    python scripts/make_released_store.py /tmp/release v0.3.0

Later versions must open the store, harvest on, and give the same answers
(tests/harvest/results/test_released_stores.py). The folder is never made again: another store would prove nothing about
the one that users have. It holds

* `store.tar.zst`: the store after a harvest of `logs/first`;
* `logs/second`: what has been written since: a log, and the end of a rolling one;
* `answers.json`: the rows of the tables after the first harvest and after the second, as the release gives them.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import duckdb
import zstandard

_TESTS = Path(__file__).resolve().parent.parent / "tests"
_NIGHTS = _TESTS / "night_logs" / "logs"
_LAKEHOUSE = _TESTS / "lakehouse_logs"
_FIRST = (_NIGHTS / "night-01.zstd", _NIGHTS / "night-02.zstd", _LAKEHOUSE / "kafka-3-5.zstd")
_SECOND = (_NIGHTS / "night-03.zstd",)
_ROLLING = _NIGHTS / "night-05.zstd"
_PARTS = 3

MODIFIED_AT = 1_795_000_000
"""When each log was written: a harvest takes one of another time for a log that has changed."""
REDACT = r"^/.*(?=/logs/)"
"""Takes the folder out of the logs' paths, by which a store knows them: they are the same wherever the test runs."""

TABLES = (
    "applications",
    "column_lineage",
    "dataset_aliases",
    "dataset_io",
    "datasets",
    "executions",
    "gaps",
    "harvested_logs",
    "io_metrics",
    "lineage_changes",
    "lineages",
    "schema_changes",
    "schema_versions",
    "stream_batches",
    "table_lineage",
)
_LEFT_OUT = {"gaps": {"detail", "hint"}, "harvested_logs": {"harvest_id"}}
"""Text that later versions may put in other words, and what depends on the number of harvests."""


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="the release's code")
    parser.add_argument("version", help="the release's name: v0.3.0")
    arguments = parser.parse_args()
    target = _TESTS / "store" / "released" / arguments.version
    if target.exists():
        sys.exit(f"{target} is there already, and stays as it is")
    _write_logs(target / "logs")
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        for night in ("first", "second"):
            shutil.copytree(target / "logs" / night, Path(folder, "logs"), dirs_exist_ok=True)
            _harvest(arguments.checkout, Path(folder))
            answers[night] = _answers(Path(folder, "store", "lineage.duckdb"))
            if night == "first":
                _pack(Path(folder, "store"), target / "store.tar.zst")
    (target / "answers.json").write_text(_lines(answers))


def _write_logs(folder: Path) -> None:
    for night, logs in (("first", _FIRST), ("second", _SECOND)):
        (folder / night).mkdir(parents=True)
        for log in logs:
            shutil.copy(log, folder / night)
    name = _ROLLING.stem
    lines = zstandard.ZstdDecompressor().stream_reader(_ROLLING.read_bytes()).read().splitlines(keepends=True)
    size = -(-len(lines) // _PARTS)
    for part in range(_PARTS):
        rolling = folder / ("second" if part == _PARTS - 1 else "first") / f"eventlog_v2_{name}"
        rolling.mkdir(exist_ok=True)
        text = b"".join(lines[part * size : (part + 1) * size])
        (rolling / f"events_{part + 1}_{name}.zstd").write_bytes(zstandard.compress(text, 19))
    (folder / "first" / f"eventlog_v2_{name}" / f"appstatus_{name}.inprogress").touch()
    (folder / "second" / f"eventlog_v2_{name}" / f"appstatus_{name}").touch()


def _harvest(checkout: Path, folder: Path) -> None:
    logs = folder / "logs"
    for status in logs.glob("*/appstatus_*"):
        status.with_name(f"{status.name}.inprogress").unlink(missing_ok=True)
    for file in logs.rglob("*"):
        os.utime(file, (MODIFIED_AT, MODIFIED_AT))
    words = ["harvest", str(logs), "--store", str(folder / "store"), "--master", "local[2]", "--redact", REDACT]
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    subprocess.run([sys.executable, "-m", "eventlog_lineage", *words], env=environment, check=True)


def _answers(database: Path) -> dict[str, dict[str, list[object]]]:
    """Table to its columns and rows, as far as later versions must have the same."""
    found: dict[str, dict[str, list[object]]] = {}
    with duckdb.connect(str(database), read_only=True) as connection:
        for table in TABLES:
            columns = [name for name, *_ in connection.execute(f"DESCRIBE {table}").fetchall()]
            kept = [name for name in columns if name not in _LEFT_OUT.get(table, ())]
            quoted = ", ".join(f'"{name}"' for name in kept)
            rows = connection.execute(f"SELECT {quoted} FROM {table} ORDER BY ALL").fetchall()
            found[table] = {"columns": [*kept], "rows": [[*map(_plain, row)] for row in rows]}
    return found


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _lines(answers: dict[str, dict[str, dict[str, list[object]]]]) -> str:
    """JSON with a row on each line."""
    nights = []
    for night, tables in answers.items():
        listed = []
        for table, found in tables.items():
            rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found["rows"])
            listed.append(f'"{table}": {{"columns": {json.dumps(found["columns"])}, "rows": [\n{rows}\n]}}')
        nights.append(f'"{night}": {{\n{",".join(listed)}\n}}')
    return "{" + ",\n".join(nights) + "}\n"


def _pack(store: Path, target: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(store, "store")
    target.write_bytes(zstandard.compress(packed.getvalue(), 19))


if __name__ == "__main__":
    main()
