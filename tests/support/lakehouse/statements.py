"""What the program tells of a log's statements, against the truth that was written by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, trace_log
from support.truth import FoundEdge, FoundStatement, differences

if TYPE_CHECKING:
    from pathlib import Path

    from eventlog_lineage.events.records import AssembledLog
    from support.sample_logs_truth import Statement


@dataclass(frozen=True)
class TracedLog:
    """A log, read and traced once.

    Attributes:
        path: The log's file.
    """

    path: Path

    @cached_property
    def read(self) -> AssembledLog:
        """The log's events."""
        (log,) = find_logs([str(self.path)])
        return read_log(log)

    @cached_property
    def traced(self) -> tuple[TracedStatement, ...]:
        """All statements."""
        return tuple(trace_log(self.read))

    @cached_property
    def _places(self) -> dict[str, str]:
        return {place: table for statement in self.traced for table, place in statement.lineage.aliases}

    @cached_property
    def _queries(self) -> dict[str, str]:
        """Run id to the streaming query's name: Hudi's sources take it out of the descriptions."""
        return {progress.run_id: progress.name for progress in self.read.progress}

    def named(self, statement: TracedStatement) -> str:
        """What the truth calls a statement."""
        return self._queries.get(statement.root.stream_run_id) or statement.root.description.partition("\n")[0]

    def wrong(self, truth: Statement) -> list[str]:
        """What is wrong with what the program tells of a statement."""
        named_so = [
            statement
            for statement in self.traced
            if self.named(statement) == truth.description and (statement.lineage.edges or not truth.edges)
        ]
        of_kind = [each for each in named_so if (each.lineage.target is not None) == (truth.kind == "write")]
        of_target = [each for each in of_kind if each.lineage.target and each.lineage.target.kind != "temp_view"]
        candidates = of_target or of_kind or named_so
        if len(candidates) != 1:
            return [f"{len(candidates)} statements: {[each.lineage.command for each in candidates]}"]
        return differences(truth, self.found(candidates[0]))

    def _canonical(self, dataset: str | None) -> str | None:
        return self._places.get(dataset, dataset) if dataset else None

    def found(self, statement: TracedStatement) -> FoundStatement:
        """A statement as the truth tells it, datasets by their canonical names."""
        lineage = statement.lineage
        edges = tuple(
            FoundEdge(
                self._canonical(edge.source_dataset),
                edge.source_column,
                edge.target_column,
                edge.target_ordinal,
                edge.dependency and str(edge.dependency),
                edge.transformation and str(edge.transformation),
                edge.masking,
                str(edge.confidence),
            )
            for edge in lineage.edges
        )
        return FoundStatement(
            target=self._canonical(lineage.target.name) if lineage.target else None,
            mode=lineage.mode,
            status=statement.root.status,
            edges=edges,
            sources=frozenset(
                self._canonical(use.dataset.name) or "" for use in lineage.accesses if use.direction == "read"
            ),
            gaps=tuple(f"{gap.reason}: {gap.detail}" for gap in lineage.gaps),
        )
