"""Plant every spelling of a secret in real statements, harvest their log, and search everything for what is left.

    python scripts/attack/plant_secrets.py [--places 6] [--only WORD] [--keep DIR]

Starts a Spark that runs each spelling of tests/redaction/spellings.txt in `--places` places of statements:
projections, conditions, options, properties, comments, partitions, views, settings, descriptions, errors, JDBC
addresses, paths; and options, settings and columns with telling names. Harvests its event log, asks the store all that
it can be asked, and searches every file of the store, every row, every output and every file that was in the temporary
folder meanwhile. Compares the lineage of each projection with that of one without a secret. Fails if anything is left,
or if lineage is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

import duckdb  # noqa: E402
import zstandard  # noqa: E402
from planting.search import Leaks, Watch  # noqa: E402

from support.secret_texts.spellings import MARKS, leaks, spellings  # noqa: E402

EDGES = [("spark_catalog.default.source", each, each) for each in ("id", "name")]
"""The lineage of a projection, whatever its literal is."""


def main() -> int:
    """Print what was planted, what was searched and what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", type=int, default=6, metavar="N", help="places of each spelling (6, at most 16)")
    parser.add_argument("--only", default="", metavar="WORD", help="spellings with this word in their names")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the log, the store and the outputs there")
    parser.add_argument("--again", action="store_true", help="harvest the log that an earlier run left in --keep")
    given = parser.parse_args()
    texts = {each.name: each.text for each in spellings() if given.only in each.name}
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        return attack(folder, texts, 0 if given.again else given.places)


def attack(folder: Path, texts: dict[str, str], places: int) -> int:
    """Plant, harvest, search.

    Args:
        folder: For the log, the store and what programs print.
        texts: Name to spelling.
        places: How many places each spelling is planted in; 0 if the log is there.

    Returns:
        0 if nothing is left of any secret, and no lineage is missing.
    """
    logs, store = folder / "logs", folder / "store"
    started = time.monotonic()
    counts = planted(folder, logs, texts, places)
    ran, failed = (sum(counts[kind].values()) for kind in ("ran", "failed"))
    print(f"planted {len(texts)} spellings: {ran} statements in {time.monotonic() - started:.0f} s, {failed} failed")
    for place in sorted({*counts["ran"], *counts["failed"]}):
        print(f"  {place:16} {counts['ran'].get(place, 0):5} ran {counts['failed'].get(place, 0):5} failed")
    log = next(path for path in logs.iterdir() if path.is_file())
    unplanted = [name for name, text in texts.items() if not leaks(text)]
    raw = zstandard.ZstdDecompressor().stream_reader(log.open("rb"), read_across_frames=True).read().lower()
    parts = sum(raw.count(mark.encode()) for mark in MARKS)
    print(f"the log has {parts:,} parts of secrets in {len(raw):,} bytes")
    shutil.rmtree(store, ignore_errors=True)
    found = Leaks(MARKS)
    files = harvested(folder, logs, store, found)
    found.store(store)
    for words in questions(log, store):
        output = called(words, folder)
        found.text(" ".join(words[:2]), output)
    print(f"searched {found.searched:,} characters, {files} files of the temporary folder among them")
    missing = without_lineage(store, counts["ran"].get("literal", 0))
    for where, places_found in sorted(found.found.items()):
        print(f"LEFT in {where}: {len(places_found)}")
        for around in sorted(places_found)[:20]:
            print(f"    …{around}…")
    for line in [*(f"NO SECRET in spelling {name}" for name in unplanted), *missing]:
        print(line)
    print("nothing is left" if not found.found else "secrets are left")
    return int(bool(found.found or unplanted or missing))


def planted(folder: Path, logs: Path, texts: dict[str, str], places: int) -> dict[str, dict[str, int]]:
    """Run the statements in a Spark of their own; return how many ran and failed in each place."""
    logs.mkdir(exist_ok=True)
    given, counts = folder / "spellings.json", folder / "counts.json"
    given.write_text(json.dumps(texts), encoding="utf-8")
    if not places:
        return json.loads(counts.read_text(encoding="utf-8"))  # type: ignore[no-any-return]
    call = [sys.executable, str(HERE / "planting" / "statements.py"), str(logs), str(given), str(counts), str(places)]
    with (folder / "spark.txt").open("w") as printed, tempfile.TemporaryDirectory() as work:
        subprocess.run(call, check=True, cwd=work, stdout=printed, stderr=subprocess.STDOUT)
    counted: dict[str, dict[str, int]] = json.loads(counts.read_text(encoding="utf-8"))
    return counted


def harvested(folder: Path, logs: Path, store: Path, found: Leaks) -> int:
    """Harvest with every log line and nothing compressed, and read the temporary folder meanwhile; return its files."""
    conf = ["spark.shuffle.compress=false", "spark.shuffle.spill.compress=false", "spark.broadcast.compress=false"]
    words = ["harvest", str(logs), "--store", str(store), "--log-level", "debug", "--json"]
    with tempfile.TemporaryDirectory() as scratch:
        watch = Watch(Path(scratch), found)
        watch.start()
        output = called([*words, *(word for each in conf for word in ("--conf", each))], folder, {"TMPDIR": scratch})
        watch.stop()
    found.text("output of harvest", output)
    print(f"harvested: {output.splitlines()[-1] if output else 'nothing'}")
    return len(watch.files)


def questions(log: Path, store: Path) -> Iterator[list[str]]:
    """Commands that print what a log or a store holds."""
    yield ["explain", str(log)]
    yield ["explain", str(log), "--format", "json"]
    tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY ALL"
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        names = [name for (name,) in connection.execute(tables).fetchall()]
    at = ["--store", str(store)]
    for name in names:
        yield ["sql", f'SELECT * FROM "{name}"', *at, "--format", "json"]
    for command in (["gaps"], ["jobs"], ["changes", "--since", "2000-01-01"], ["unused", "--since", "2000-01-01"]):
        yield [*command, *at]
    for command in ("upstream", "downstream", "columns", "history"):
        yield [command, "default.target", *at]
    for form in ("openlineage", "hive", "csv"):
        yield ["export", form, *at]


def called(words: Sequence[str], folder: Path, more: dict[str, str] | None = None) -> str:
    """Call the program; return all that it prints."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")} | (more or {})
    call = [sys.executable, "-m", "eventlog_lineage", *words]
    done = subprocess.run(
        call, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        print(f"exit {done.returncode}: {' '.join(words[:2])}: {done.stdout.decode(errors='replace')[-300:]}")
    return done.stdout.decode(errors="replace")


def without_lineage(store: Path, statements: int) -> list[str]:
    """Each projection whose lineage is not that of one without a secret."""
    query = (
        "SELECT e.description, list((l.source_dataset, l.source_column, l.target_column) ORDER BY l.source_column)"
        " FROM executions e LEFT JOIN execution_column_lineage l USING (app_id, attempt_id, execution_id)"
        " WHERE e.description LIKE 'case:%/literal' AND e.execution_id = e.root_execution_id"
        " AND (l.dependency IS NULL OR l.dependency = 'DIRECT') GROUP BY ALL"
    )
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        rows = connection.execute(query).fetchall()
    wrong = [
        f"LINEAGE of {description}: {edges}"
        for description, edges in rows
        if [(source, column, target) for source, column, target in map(_values, edges) if source] != EDGES
    ]
    print(f"lineage of {len(rows) - len(wrong)} of {statements} projections is complete")
    return wrong


def _values(edge: object) -> tuple[str, ...]:
    """A struct's values, which DuckDB gives as a tuple or as a mapping."""
    return tuple(edge.values()) if isinstance(edge, dict) else tuple(edge)  # type: ignore[arg-type]


if __name__ == "__main__":
    sys.exit(main())
