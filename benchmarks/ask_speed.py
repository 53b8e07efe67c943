"""How fast a store of ten million edges answers, and how long it takes to make one.

    PYTHONPATH=src python benchmarks/ask_speed.py [--store DIR] [--tables 2000] [--layers 10] [--domain 20]

Makes the hand-over of a warehouse (layers of tables, each column made from eight others of the layer before, each table
filtered, joined and grouped by 150 more; tables of one domain read each other), harvests it into a store, and asks.
The store stays in DIR for a second run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import duckdb

from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.schema.relations import no_rows
from eventlog_lineage.store.schema.tables import HARVEST_TABLES
from eventlog_lineage.store.versions.folder import current_version
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from extract_speed import processor_time

COLUMNS = 50
SOURCES, INFLUENCES = 8, 150

TARGETS = """
    CREATE TABLE targets AS
    SELECT layer, t, layer * {tables} + t AS number, md5(layer || '/' || t) AS fingerprint,
           'spark_catalog.layer_' || layer || '.table_' || t AS dataset
    FROM range({layers}) l(layer), range({tables}) r(t)
"""

STAGING = {
    "applications": """
        SELECT 'app-' || layer AS app_id, '' AS attempt_id, 'layer ' || chr(65 + layer::INTEGER) AS app_name,
               TIMESTAMP '2026-11-20 01:00:00' AS started_at, true AS complete
        FROM range(1, {layers}) l(layer)
    """,
    "executions": """
        SELECT 'app-' || layer AS app_id, '' AS attempt_id, t AS execution_id, t AS root_execution_id,
               'save at NativeMethodAccessorImpl.java:0' AS description,
               TIMESTAMP '2026-11-20 01:00:00' + INTERVAL (number) SECOND AS started_at,
               'succeeded' AS status, fingerprint AS lineage_id
        FROM targets WHERE layer > 0
    """,
    "lineages": """
        SELECT fingerprint AS lineage_id, fingerprint AS lineage_fingerprint, 'InsertIntoHiveTable' AS command,
               dataset AS target_dataset, 'overwrite' AS mode
        FROM targets WHERE layer > 0
    """,
    "lineage_io": """
        SELECT fingerprint AS lineage_fingerprint, dataset, 'write' AS direction, 'overwrite' AS mode,
               ['column_1'] AS columns
        FROM targets WHERE layer > 0
        UNION ALL
        SELECT DISTINCT lineage_fingerprint, source_dataset, 'read', '', ['column_1'] FROM edges
    """,
    "shown_datasets": """
        SELECT fingerprint AS lineage_id, dataset, 'table' AS kind, 'parquet' AS format, '' AS location FROM targets
    """,
    "lineage_edges": "SELECT * FROM edges",
}

EDGES = """
    CREATE VIEW edges AS
    WITH made AS (
        SELECT fingerprint, layer, t, number, dataset, c AS target, i, hash(number * 131 + c * 17 + i) AS chance
        FROM targets, range(1, {columns} + 1) c(c), range({sources}) r(i) WHERE layer > 0
        UNION ALL
        SELECT fingerprint, layer, t, number, dataset, 0, i, hash(number * 137 + i)
        FROM targets, range({influences}) r(i) WHERE layer > 0
    )
    SELECT fingerprint AS lineage_fingerprint, (target * 1000 + i)::INTEGER AS position,
           'spark_catalog.layer_' || (layer - 1) || '.table_'
             || ((t // {domain}) * {domain} + hash(number * 7 + chance % 3) % {domain}) AS source_dataset,
           'column_' || (1 + (chance // 7) % {columns}) AS source_column,
           dataset AS target_dataset, CASE WHEN target > 0 THEN 'column_' || target END AS target_column,
           CASE WHEN target > 0 THEN target::INTEGER END AS target_ordinal,
           CASE WHEN target > 0 THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency,
           CASE WHEN target > 0 THEN 'TRANSFORMATION'
                ELSE ['FILTER', 'JOIN', 'GROUP_BY'][1 + i % 3] END AS transformation,
           false AS masking, 'sum((a.column_' || target || ' * (1 - b.column_' || i || ')))' AS expression,
           'exact' AS confidence, 'x' AS pattern
    FROM made
"""


def make_staging(staging: Path, sizes: dict[str, int]) -> None:
    """Write the hand-over of one big night."""
    with duckdb.connect() as connection:
        connection.execute(TARGETS.format(**sizes))
        connection.execute(EDGES.format(**sizes))
        for table in HARVEST_TABLES:
            if table.name in STAGING:
                (staging / table.name).mkdir()
                query = f"{no_rows(table)} UNION ALL BY NAME ({STAGING[table.name].format(**sizes)})"
                connection.execute(f"COPY ({query}) TO '{staging / table.name / 'part-0.parquet'}' (FORMAT parquet)")


def make_store(store: Path, sizes: dict[str, int]) -> None:
    """Harvest the night, and once more nothing."""
    with open_for_harvest(store) as writer:
        begin = time.perf_counter()
        make_staging(writer.staging_dir, sizes)
        print(f"making the hand-over             {time.perf_counter() - begin:7.2f} s")
        begin = last = time.perf_counter()
        steps: dict[str, float] = {}

        def note(step: str) -> None:
            nonlocal last
            steps[step] = last = time.perf_counter()

        writer.publish(HarvestFacts(datetime(2026, 11, 20, 2)), on_step=note)
        end = time.perf_counter()
        print(f"first harvest                    {end - begin:7.2f} s")
        names = list(steps)
        for name, following in zip(names, [*names[1:], ""], strict=True):
            print(f"  {name:30} {steps.get(following, end) - steps[name]:7.2f} s")
    begin = time.perf_counter()
    with open_for_harvest(store) as writer:
        writer.publish(HarvestFacts(datetime(2026, 11, 20, 3)))
    print(f"harvest of nothing new           {time.perf_counter() - begin:7.2f} s")


def ask(store: Path, last_layer: int) -> None:
    """Ask as a macro and from the command line; the best of three, as users ask more than once."""
    deep, first = f"layer_{last_layer}.table_77", "layer_0.table_77"
    questions = [
        f"upstream('{deep}.column_5')",
        f"upstream('{deep}.column_5', direct_only := true)",
        f"upstream('{deep}')",
        f"downstream('{first}.column_5')",
        f"downstream('{first}')",
        f"impact('{first}.column_5')",
        f"upstream('{deep}.column_5', max_depth := 1)",
    ]
    for question in questions:
        times, cpu = [], []
        rows = 0
        for _ in range(3):
            with open_store(store) as opened:
                begin, used = time.perf_counter(), processor_time()
                rows = len(opened.ask(f"SELECT * FROM {question}").rows)
                times.append(time.perf_counter() - begin)
                cpu.append(processor_time() - used)
        print(f"{question:55} {min(times):6.3f} s, of the processors {min(cpu):6.3f} s  {rows:8} rows")
    commands = [
        ["upstream", f"{deep}.column_5"],
        ["downstream", f"{first}.column_5"],
        ["path", f"{first}.column_5", f"{deep}.column_5"],
        ["upstream", f"{deep}.column_5", "--at", "2026-11-21"],
        ["columns", deep],
        ["changes", deep],
        ["find", "table_77"],
        ["--help"],
    ]
    for words in commands:
        call = [sys.executable, "-m", "eventlog_lineage", *words]
        call += [] if words == ["--help"] else ["--store", str(store)]
        times, cpu = [], []
        for _ in range(3):
            begin, used = time.perf_counter(), processor_time()
            subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - begin)
            cpu.append(processor_time() - used)
        print(f"$ eventlog-lineage {' '.join(words):56} {min(times):6.3f} s, of the processors {min(cpu):6.3f} s")


def main() -> None:
    """Make the store if it is not there, and ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=Path("/tmp/ask_speed"))
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--layers", type=int, default=10)
    parser.add_argument("--domain", type=int, default=20)
    arguments = parser.parse_args()
    sizes = {name: getattr(arguments, name) for name in ("tables", "layers", "domain")}
    sizes |= {"columns": COLUMNS, "sources": SOURCES, "influences": INFLUENCES}
    print(f"duckdb {duckdb.__version__}")
    if current_version(arguments.store) is None:
        make_store(arguments.store, sizes)
    with open_store(arguments.store) as store:
        edges = store.ask("SELECT count(*) FROM column_lineage").rows[0][0]
        size = (store.version / "lineage.duckdb").stat().st_size
    print(f"{edges} edges, lineage.duckdb {size / 1e6:.0f} MB")
    ask(arguments.store, arguments.layers - 1)


if __name__ == "__main__":
    main()
