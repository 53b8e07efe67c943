"""Saves that have no effect, as their target exists: mode `ignore`, `CREATE TABLE IF NOT EXISTS … AS SELECT`.

A job description has the statement's name and its target's: `saved_again saved` has no effect.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.statement import RowSources, StatementContext
from eventlog_lineage.lineage.trace_statement import trace_texts

LOGS = sorted((Path(__file__).resolve().parent.parent / "path_logs").glob("kept-*.zstd"))


def test_there_are_logs_of_both_text_forms() -> None:
    assert {path.stem for path in LOGS} == {"kept-3-5-extended", "kept-4-3"}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_only_the_first_save_to_a_target_is_a_write(path: Path) -> None:
    (log,) = find_logs([str(path)])
    written, kept = {}, set()
    for traced in trace_log(read_log(log)):
        name, _, target = traced.root.description.partition(" ")
        lineage = traced.lineage
        if lineage.target is None:
            kept.add(name)
            assert (lineage.edges, lineage.accesses, lineage.gaps) == ((), (), ())
            assert not any(each.dataset.endswith(target) for each in lineage.observations)
        elif name in target:
            written[name] = [(edge.source_column, edge.target_column) for edge in lineage.edges if edge.target_column]
    assert kept == {"saved_again", "made_again", "sent_again", "days_again"}
    columns = [("id", "id"), ("v", "v")]
    assert written == {
        "saved": columns,
        "saved_empty": columns,
        "made": [("id", "id")],
        "made_of_values": [(None, "one")],
        "sent": columns,
        "days": [("id", "id"), (None, "day")],
    }


HIVE = """== Physical Plan ==
Execute CreateHiveTableAsSelectCommand (1)
   +- CreateHiveTableAsSelectCommand (2)
         +- LogicalRelation (3)


(1) Execute CreateHiveTableAsSelectCommand
Output: []

(2) CreateHiveTableAsSelectCommand
Arguments: [Database: default, TableName: made]

(3) LogicalRelation
Arguments: parquet, [id#2L], `spark_catalog`.`default`.`orders`, org.example.SerDe, false
"""


@pytest.mark.parametrize("ran_no_job", [False, True])
def test_a_hive_table_of_a_query_without_a_job_was_there(ran_no_job: bool) -> None:
    lineage = trace_texts(HIVE, context=StatementContext(rows=RowSources(ran_no_job=ran_no_job)))
    assert (lineage.target is None) == ran_no_job
    assert [edge.source_column for edge in lineage.edges] == ([] if ran_no_job else ["id"])
