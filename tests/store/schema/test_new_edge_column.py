"""A new column of edges is spelled in three modules: what an edge is, how it is made, and how it is declared.

The SQL of the fold, the views and the macros, the rows of a harvest and the store of an older version follow.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.docs.recipes import recipe_diffs
from support.stores.staged_logs import harvest_logs

TESTS = Path(__file__).resolve().parents[2]
LOG = TESTS / "sample_logs" / "nightly-sales-3-5.zstd"

EDITS = [each for each in recipe_diffs() if each.section == "How to add a column"]
"""What CONTRIBUTING adds to three modules: `origin`, a column that says whether an edge has a source."""

HARVEST_AND_ASK = """
import json, sys
from pathlib import Path
from support.stores.staged_logs import harvest_logs
from eventlog_lineage.store.queries.open_store import open_store
relations = ("lineage_edges", "column_lineage", "named_edges", "execution_column_lineage", "column_lineage_spread",
             "lineage_at(TIMESTAMP '2100-01-01')", "upstream('spark_catalog.sales.paid_orders.net')")
harvest_logs(Path(sys.argv[1]), [Path(sys.argv[2])])
with open_store(sys.argv[1]) as store:
    asked = {name: store.ask(f"SELECT DISTINCT origin FROM {name} ORDER BY ALL").rows for name in relations}
    parquet = f"read_parquet('{sys.argv[1]}/column_lineage/*.parquet')"
    asked["parquet"] = store.ask(f"SELECT DISTINCT origin FROM {parquet} ORDER BY ALL").rows
print(json.dumps({name: [row[0] for row in rows] for name, rows in asked.items()}))
"""


def harvest_and_ask(package: Path, store: Path, log: Path) -> dict[str, list[str | None]]:
    """Harvest a log with a package, and give what some relations then have for the column."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(package), str(TESTS)))}
    words = [sys.executable, "-c", HARVEST_AND_ASK, str(store), str(log)]
    done = subprocess.run(words, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str | None]] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program after the recipe's edits; what they leave alone stays compiled."""
    folder = tmp_path_factory.mktemp("changed") / "src"
    shutil.copytree(TESTS.parent / "src", folder)
    for edit in EDITS:
        module = folder / Path(edit.path).relative_to("src")
        text = module.read_text()
        old = "".join(f"{line}\n" for line in edit.before)
        assert old in text, edit.path
        module.write_text(text.replace(old, old + "".join(f"{line}\n" for line in edit.added)))
    return folder


def test_a_new_column_of_edges_costs_three_modules(package: Path, tmp_path: Path) -> None:
    assert len(EDITS) == 3
    found = harvest_and_ask(package, tmp_path, LOG)
    assert found.pop("upstream('spark_catalog.sales.paid_orders.net')") == ["column"]
    assert found == {relation: ["column", "none"] for relation in found}


def test_a_store_from_before_the_column_has_none_in_its_older_edges(package: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    harvest_logs(store, [LOG])
    found = harvest_and_ask(package, store, Path(shutil.copy(LOG, tmp_path / "another")))
    assert found == {relation: [None] for relation in found}
