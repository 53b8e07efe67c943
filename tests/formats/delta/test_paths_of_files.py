"""Joins of rewritten rows with the deletion vectors of their files are no conditions of the statement."""

from __future__ import annotations

from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log

LOG = Path(__file__).resolve().parents[2] / "medallion_logs" / "delta_features-4-1.zstd"


def test_no_command_depends_on_the_paths_of_its_target_s_files() -> None:
    (log,) = find_logs([str(LOG)])
    lineages = [each.lineage for each in trace_log(read_log(log))]

    changes = [each for each in lineages if each.mode in {"merge", "update", "delete"}]
    assert len(changes) > 3
    assert [edge for each in changes for edge in each.edges if "_metadata.file_path" in str(edge.source_column)] == []
    assert any(edge.transformation == "JOIN" for each in changes for edge in each.edges)
