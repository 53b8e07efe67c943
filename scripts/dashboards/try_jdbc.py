"""Ask a store over DuckDB's JDBC driver, as Metabase, Tableau and DBeaver do, and compare with the answers in Python.

    python scripts/dashboards/try_jdbc.py [STORE] [--driver 2.0.0.1]

Takes the driver from Maven Central, opens `lineage.duckdb` read-only, lists its tables and columns, runs the query of
every panel and a macro, and compares the numbers of rows. Needs a JDK. Not part of CI.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import urllib.request
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parents[2]
PANELS = ROOT / "src" / "eventlog_lineage" / "store" / "panels"
MAVEN = "https://repo1.maven.org/maven2/org/duckdb/duckdb_jdbc"
MACRO = "SELECT * FROM upstream('sales.daily_sales.revenue')"


def main() -> None:
    """Ask and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", nargs="?", type=Path, default=ROOT / ".demo")
    parser.add_argument("--driver", default="2.0.0.1", help="the driver's version")
    arguments = parser.parse_args()
    database = (arguments.store / "lineage.duckdb").resolve()
    with tempfile.TemporaryDirectory(prefix="try-jdbc-") as folder:
        jar, macro = Path(folder) / "duckdb_jdbc.jar", Path(folder) / "macro.sql"
        urllib.request.urlretrieve(f"{MAVEN}/{arguments.driver}/duckdb_jdbc-{arguments.driver}.jar", jar)
        macro.write_text(MACRO)
        queries = [*sorted(PANELS.glob("*.sql")), macro]
        program = Path(__file__).with_name("AskPanels.java")
        call = ["java", "-cp", str(jar), str(program), str(database), *map(str, queries)]
        asked = subprocess.run(call, check=True, capture_output=True, text=True).stdout
        expected = count_rows(database, queries)
    print(asked, end="")
    answers = dict(line.split("\t") for line in asked.splitlines())
    different = {name: rows for name, rows in expected.items() if answers.get(name) != str(rows)}
    if different:
        raise SystemExit(f"other numbers of rows in Python: {different}")
    print(f"the numbers of rows are those of Python ({len(expected)} queries)")


def count_rows(database: Path, queries: list[Path]) -> dict[str, int]:
    """Return the number of rows of each query, by its file's name.

    Args:
        database: The store's database.
        queries: Files with a query each.
    """
    with duckdb.connect(str(database), read_only=True) as store:
        return {query.name: len(store.execute(query.read_text()).fetchall()) for query in queries}


if __name__ == "__main__":
    main()
