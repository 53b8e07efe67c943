"""Saves that have no effect, as their target exists: mode `ignore`, `CREATE TABLE IF NOT EXISTS … AS SELECT`.

A job description has the statement's name and its target's: `saved_again saved` has no effect.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import NO_FACTS
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log

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


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_without_jobs_does_not_show_which_saves_have_no_effect(path: Path) -> None:
    (found,) = find_logs([str(path)])
    log = read_log(found)
    executions = tuple(replace(each, job_facts=NO_FACTS) for each in log.executions)
    lineages = [traced.lineage for traced in trace_log(replace(log, executions=executions))]
    assert all(lineage.target is not None for lineage in lineages if lineage.command.startswith(("Insert", "SaveInto")))
