"""Reads the hand-written truth about the sample logs (tests/sample_logs/*.truth; README.md there has the grammar)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {
    "DIRECT": {"IDENTITY", "TRANSFORMATION", "AGGREGATION"},
    "INDIRECT": {"FILTER", "JOIN", "GROUP_BY", "SORT", "WINDOW", "CONDITIONAL"},
}
OF_WHOLE_TARGET = {"FILTER", "JOIN", "GROUP_BY", "SORT"}
MODES = {"alter", "append", "overwrite", "create", "merge", "update", "delete", "maintenance"}
STATUSES = {"succeeded", "failed", "running"}

_COMMENT = re.compile(r"(^|\s+)--(\s.*)?$")
_EDGE = re.compile(r"(\S+)\s+<-\s+(\S+)(?:\s+(DIRECT|INDIRECT)\s+([A-Z_]+))?((?:\s+(?:masked|opaque))*)")


@dataclass(frozen=True, slots=True)
class TrueEdge:
    """An edge that must be found.

    Attributes:
        source_dataset: The dataset's full name; None for a target column without a source.
        source_column: The column, nested fields dotted; None likewise.
        target_column: The column; None for an influence on the whole target.
        dependency: `DIRECT` or `INDIRECT`; None without a source.
        transformation: `IDENTITY`, `FILTER` …; None without a source.
        masked: A hash, a mask or a count lies on the way.
        opaque: A black box lies on the way.
    """

    source_dataset: str | None
    source_column: str | None
    target_column: str | None
    dependency: str | None
    transformation: str | None
    masked: bool = False
    opaque: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """What one statement does, by the name its job description gives it.

    Attributes:
        description: The job description.
        logs: The files or folders of tests/sample_logs that hold the statement.
        kind: `write`, `read`, or `helper` for a statement about which nothing is claimed.
        mode: A write's mode; empty otherwise.
        target: A write's dataset, full name; None otherwise.
        status: `succeeded`, `failed` or `running`.
        edges: All DIRECT edges and the INDIRECT ones that must be there, in the order of the target's columns.
        also_reads: Datasets that are read without any of their columns, full names.
    """

    description: str
    logs: tuple[str, ...]
    kind: str
    mode: str
    target: str | None
    status: str
    edges: tuple[TrueEdge, ...]
    also_reads: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The target's columns in order."""
        return tuple(dict.fromkeys(edge.target_column for edge in self.edges if edge.target_column is not None))

    @property
    def sources(self) -> frozenset[str]:
        """The datasets read, full names."""
        return frozenset(edge.source_dataset for edge in self.edges if edge.source_dataset) | set(self.also_reads)


@dataclass(slots=True)
class _Block:
    """A statement while its lines are read."""

    description: str
    logs: tuple[str, ...]
    kind: str = ""
    mode: str = ""
    target: str | None = None
    status: str = "succeeded"
    edges: list[TrueEdge] = field(default_factory=list)
    also_reads: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """The state of reading one truth file."""

    logs: dict[str, str] = field(default_factory=dict)
    datasets: dict[str, str] = field(default_factory=dict)
    blocks: list[_Block] = field(default_factory=list)

    def take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word == "#":
            if any(block.description == rest for block in self.blocks):
                raise ValueError(f"a second block of {rest!r}")
            self.blocks.append(_Block(rest, tuple(self.logs.values())))
        elif word in ("log", "dataset"):
            name, equals, value = (part.strip() for part in rest.partition("="))
            if not (name and equals and value) or self.blocks:
                raise ValueError(f"expected `{word} NAME = VALUE` before the first statement")
            (self.logs if word == "log" else self.datasets)[name] = value
        elif not self.blocks:
            raise ValueError("expected `log`, `dataset` or `#`")
        elif "<-" in line:
            self.blocks[-1].edges.append(self._edge(line))
        else:
            self._property(self.blocks[-1], word, rest)

    def _property(self, block: _Block, word: str, rest: str) -> None:
        if block.edges:
            raise ValueError("expected an edge")
        if word == "in":
            block.logs = tuple(self.logs[key] for key in rest.split())
        elif word == "status" and rest in STATUSES:
            block.status = rest
        elif word == "reads":
            block.also_reads += [self.datasets[name] for name in rest.split()]
        elif word in ("read", "helper") and not rest and not block.kind:
            block.kind = word
        elif word == "write" and not block.kind:
            block.kind = word
            block.mode, _, target = rest.partition(" ")
            block.target = self.datasets.get(target, target)
            if block.mode not in MODES or not target or " " in target:
                raise ValueError(f"expected `write MODE DATASET`, with MODE one of {', '.join(sorted(MODES))}")
        else:
            raise ValueError(f"not understood: {word} {rest}")

    def _edge(self, line: str) -> TrueEdge:
        match = _EDGE.fullmatch(line)
        if match is None:
            raise ValueError(f"not an edge: {line}")
        target, source, dependency, transformation, flags = match.groups()
        column = None if target == "*" else target
        if source == "-":
            if dependency or flags or column is None:
                raise ValueError("`<- -` is for a column, and stands alone")
            return TrueEdge(None, None, column, None, None)
        if dependency is None or transformation not in KINDS[dependency]:
            raise ValueError(f"no kind of edge: {dependency} {transformation}")
        if (column is None) != (transformation in OF_WHOLE_TARGET):
            raise ValueError(
                f"{transformation} belongs to {'one column' if column is None else 'the whole target, `*`'}"
            )
        dataset, field_name = self._source(source)
        return TrueEdge(dataset, field_name, column, dependency, transformation, "masked" in flags, "opaque" in flags)

    def _source(self, text: str) -> tuple[str, str]:
        """Split `alias.column` at the longest dataset alias that fits."""
        for name in sorted(self.datasets, key=len, reverse=True):
            if text.startswith(name + "."):
                return self.datasets[name], text[len(name) + 1 :]
        raise ValueError(f"no dataset is declared for {text}")


def load_truth(path: Path) -> list[Statement]:
    """Read a truth file.

    Args:
        path: A `.truth` file, UTF-8.

    Returns:
        The statements in the file's order.

    Raises:
        ValueError: A line or a statement is not well-formed; the message names file and line or description.
    """
    reader = _Reader()
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = _COMMENT.sub("", raw).strip()
        if line:
            try:
                reader.take(line)
            except (ValueError, KeyError) as error:
                raise ValueError(f"{path.name}:{number}: {error}") from error
    return [_finished(block, path) for block in reader.blocks]


def _moves_rows(block: _Block) -> bool:
    """Does the statement give columns values? A table that is made of another one's files does not."""
    cloned = block.mode == "create" and block.also_reads and not block.edges
    return not (block.kind == "helper" or block.mode in {"alter", "maintenance"} or cloned)


def _finished(block: _Block, path: Path) -> Statement:
    sourceless = {edge.target_column for edge in block.edges if edge.source_dataset is None}
    sourced = {edge.target_column for edge in block.edges if edge.source_dataset is not None}
    complaint = ""
    if not block.kind:
        complaint = "says neither write, read nor helper"
    elif _moves_rows(block) != bool(block.edges):
        complaint = "a helper has no edges, nor has maintenance; every other statement has some"
    elif len(set(block.edges)) < len(block.edges):
        complaint = "holds an edge twice"
    elif sourceless & sourced:
        complaint = "has a column both with and without a source"
    if complaint:
        raise ValueError(f"{path.name}: {block.description!r} {complaint}")
    return Statement(
        block.description,
        block.logs,
        block.kind,
        block.mode,
        block.target,
        block.status,
        tuple(block.edges),
        tuple(block.also_reads),
    )
