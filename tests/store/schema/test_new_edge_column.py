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
"""What CONTRIBUTING adds to three modules: `evidence`, a column that says whether an edge has a source."""

HARVEST_AND_ASK = """
import json, sys
from pathlib import Path
from support.stores.staged_logs import harvest_logs
from eventlog_lineage.store.queries.open_store import open_store
relations = ("lineage_edges", "column_lineage", "named_edges", "execution_column_lineage", "column_lineage_spread",
             "lineage_at(TIMESTAMP '2100-01-01')", "upstream('spark_catalog.sales.paid_orders.net')")
def ask(path):
    with open_store(path) as store:
        asked = {name: store.ask(f"SELECT DISTINCT evidence FROM {name} ORDER BY ALL").rows for name in relations}
        parquet = f"read_parquet('{path}/column_lineage/*.parquet')"
        asked["parquet"] = store.ask(f"SELECT DISTINCT evidence FROM {parquet} ORDER BY ALL").rows
    return {name: [row[0] for row in rows] for name, rows in asked.items()}
found = []
for path, log in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    harvest_logs(Path(path), [Path(log)])
    found.append(ask(path))
print(json.dumps(found))
"""


def harvest_and_ask(package: Path, *words: Path) -> list[dict[str, list[str | None]]]:
    """Harvest logs with a package, each into its store, and give what some relations then have for the column.

    Args:
        package: The folder of the package.
        words: A store, its log, another store, its log.
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(package), str(TESTS)))}
    command = [sys.executable, "-c", HARVEST_AND_ASK, *map(str, words)]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, list[str | None]]] = json.loads(done.stdout)
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


def test_a_new_column_of_edges_costs_three_modules_and_older_edges_have_none(package: Path, tmp_path: Path) -> None:
    assert len(EDITS) == 3
    older = tmp_path / "older"
    harvest_logs(older, [LOG])
    another = Path(shutil.copy(LOG, tmp_path / "another"))
    new, from_before = harvest_and_ask(package, tmp_path / "new", LOG, older, another)
    assert new.pop("upstream('spark_catalog.sales.paid_orders.net')") == ["column"]
    assert new == {relation: ["column", "none"] for relation in new}
    assert from_before == {relation: [None] for relation in from_before}
    assert len(from_before) == len(new) + 1
