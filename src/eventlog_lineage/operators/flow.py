"""The result of a rule: an operator's outputs over source columns, its conditions, reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from eventlog_lineage.model import Dataset, Gap, GapReason, Transformation, merge
from eventlog_lineage.observed_schemas import SchemaObservation
from eventlog_lineage.operators.derivations.derivation import Constant, Derivation, keeps_null, render
from eventlog_lineage.operators.derivations.functions import STRICT
from eventlog_lineage.plan.grammar.attribute_ids import unescaped

_LONGEST = 2_000
"""The most characters of two values' expressions that are compared."""


@dataclass(frozen=True, slots=True)
class Output:
    """An output attribute: its name, its id, and the derivation of its value."""

    name: str
    expr_id: int
    derivation: Derivation

    def mapped(self, change: Callable[[Derivation], Derivation]) -> Output:
        """Return the output with another derivation of its value."""
        return Output(self.name, self.expr_id, change(self.derivation))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two values that a join compares, one of each side; the operator is `=`, `<=>`, `<`, … or a function's name."""

    left: Derivation
    right: Derivation
    operator: str

    @property
    def is_null_with_a_side(self) -> bool:
        """Whether the comparison is null where a side is null: not so for `<=>` and most functions."""
        return keeps_null(f" {self.operator} ") or self.operator.removeprefix("NOT ") in STRICT


class Conjunct(NamedTuple):
    """A part of a conjunction.

    Attributes:
        derivation: The part.
        tested: The value of `isnotnull(value)`, if no other part has it.
        array: The value of `size(value) > 0`, and of `isnotnull(value)` next to it.
    """

    derivation: Derivation
    tested: Derivation | None = None
    array: Derivation | None = None

    def mapped(self, change: Callable[[Derivation], Derivation]) -> Conjunct:
        """Return the part with other derivations of its values."""
        tested, array = (value and change(value) for value in (self.tested, self.array))
        return Conjunct(change(self.derivation), tested, array)

    def is_test_of(self, keys: Sequence[Derivation]) -> bool:
        """Return whether this is `isnotnull(key)`, also of a key's struct."""
        return self.tested is not None and any(map(self.tested.is_key, keys))

    def is_size_of(self, array: Derivation) -> bool:
        """Return whether this is `size(array) > 0`, or `isnotnull(array)` next to it."""
        return self.array is not None and render(self.array, _LONGEST, str) == render(array, _LONGEST, str)


@dataclass(frozen=True, slots=True)
class Condition:
    """An influence on all rows of an operator: a filter, a join's condition, grouping keys, a sort.

    Attributes:
        derivation: The condition.
        kind: The kind of its edges.
        comparisons: Those of the sides of a join, for `column_joins`.
        conjuncts: Its parts, if the optimizer may have inferred one of them for a join or a generator above.
    """

    derivation: Derivation
    kind: Transformation
    comparisons: tuple[Comparison, ...] = ()
    conjuncts: tuple[Conjunct, ...] = ()

    @property
    def is_of_source(self) -> bool:
        """Whether it is as a source or a command prints what it applies itself: `day = '2026-11-03', id IN (1, 2)`."""
        return len(self.derivation.parts) == 1 and isinstance(self.derivation.parts[0], Constant)

    def mapped(self, change: Callable[[Derivation], Derivation]) -> Condition:
        """Return the condition with other derivations of its values."""
        comparisons = tuple(
            Comparison(change(each.left), change(each.right), each.operator) for each in self.comparisons
        )
        conjuncts = tuple(each.mapped(change) for each in self.conjuncts)
        return Condition(change(self.derivation), self.kind, comparisons, conjuncts)

    def without(self, is_inferred: Callable[[Conjunct], bool]) -> Condition | None:
        """Return the condition without the parts that the optimizer inferred; None if it has no other part."""
        kept = tuple(each for each in self.conjuncts if not is_inferred(each))
        if len(kept) == len(self.conjuncts):
            return self
        if not kept:
            return None
        values = [each.derivation for each in kept]
        whole = values[0]
        for value in values[1:]:
            whole = Derivation({}, ("(", whole, " AND ", value, ")"))
        sources = merge(value.sources for value in values)
        return Condition(Derivation(sources, whole.parts), self.kind, self.comparisons, kept)


@dataclass(frozen=True, slots=True)
class Read:
    """A dataset that an operator reads, with the columns it reads in the relation's order.

    `schema` is the scan's `ReadSchema`, empty if it prints none; `is_truncated` if Spark truncated the columns;
    `symlink` is the session catalog's name of a table of another system, empty if the plan prints none.
    """

    dataset: Dataset
    columns: tuple[str, ...]
    node_name: str
    schema: str = ""
    is_truncated: bool = False
    symlink: str = ""


@dataclass(frozen=True, slots=True)
class Write:
    """The write of a command.

    Attributes:
        target: The dataset.
        mode: As `DatasetAccess.mode`.
        columns: The target's columns in order, with their derivations; None if another execution of the statement has
            them.
        names: The column names, if the command prints them without derivations.
        location: The URI that is written, if the target is a table whose location is known.
        partition_columns: The columns in the names of the target's folders.
        node_name: The command as printed.
        managed: Whether the statement creates the table without a location: its catalog chooses the location.
        definition: The observation of the target's schema, for a definition.
        is_database_assumed: Whether the command prints the target without its database, and `default` is assumed.
        is_truncated: Whether Spark truncated the list of columns (`... 38 more fields`): `columns` or `names` are only
            the first ones.
        is_optional: Whether it has no effect if the target exists (IF NOT EXISTS, mode `ignore`).
        replaces_schema: Whether an option makes the written columns those of the table.
        source_attributes: Attributes that are a MERGE's source's, as its INSERT clauses assign them: with them a column
            gets a value from the source, even if the source is the target itself.
        symlink: As that of a `Read`.
    """

    target: Dataset
    mode: str
    columns: tuple[Output, ...] | None = ()
    names: tuple[str, ...] = ()
    location: str = ""
    partition_columns: tuple[str, ...] = ()
    node_name: str = ""
    managed: bool = False
    definition: SchemaObservation | None = None
    is_database_assumed: bool = False
    is_truncated: bool = False
    is_optional: bool = False
    replaces_schema: bool = False
    source_attributes: frozenset[int] = frozenset()
    symlink: str = ""

    @property
    def derived(self) -> tuple[Output, ...]:
        """The columns of this execution's plan; empty if another execution has them."""
        return self.columns or ()


@dataclass(frozen=True, slots=True)
class Grouping:
    """An aggregation that an operator above may complete.

    Spark splits one aggregation into several operators. Only the keys of the last one are the user's: those of
    the others may include the columns of a `count(DISTINCT …)`.

    Attributes:
        keys: Its grouping keys.
        functions: (text without its phase, derivation) of its aggregate functions.
        inputs: What the first step aggregates: attribute id to derivation.
    """

    keys: tuple[Derivation, ...]
    functions: tuple[tuple[str, Derivation], ...]
    inputs: Mapping[int, Derivation]


@dataclass(frozen=True, slots=True)
class Ordering:
    """A sort within partitions that an operator above may require.

    Attributes:
        texts: The keys as printed, without direction.
        gaps: The gap of truncated keys.
        has_all: Whether the keys are all columns: `Dataset.randomSplit` sorts by them, to repeat its samples (2.0+).
    """

    texts: tuple[str, ...]
    keys: tuple[Derivation, ...]
    gaps: tuple[Gap, ...] = ()
    has_all: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """The result of an operator, the input of its consumer.

    Attributes:
        outputs: In order; an attribute can repeat.
        conditions: The influences on the rows so far.
        reads: The datasets read so far.
        grouping: An aggregation that is not completed yet.
        ordering: A sort that no operator above requires so far.
        write: The write of a command.
        command: The name of the command, including DDL; empty for a query.
        gaps: What could not be resolved so far.
        inserts: The writes of a multi-insert (`FROM … INSERT INTO … INSERT INTO …`), each with the flow below it.
        assigned: The columns that a MERGE of a table into itself assigns, by attribute; None for other operators.
    """

    outputs: tuple[Output, ...] = ()
    conditions: tuple[Condition, ...] = ()
    reads: tuple[Read, ...] = ()
    grouping: Grouping | None = None
    ordering: Ordering | None = None
    write: Write | None = None
    command: str = ""
    gaps: tuple[Gap, ...] = ()
    inserts: tuple[Flow, ...] = ()
    assigned: frozenset[int] | None = None
    _scope: dict[int, Derivation] = field(init=False, default_factory=dict)

    @property
    def scope(self) -> Mapping[int, Derivation]:
        """Attribute id to derivation, for the expressions of a consumer."""
        if not self._scope:
            for output in reversed(self.outputs):
                self._scope[output.expr_id] = output.derivation
        return self._scope

    @property
    def written(self) -> tuple[Output, ...]:
        """The columns that it writes, with their values; empty if it has no write or another execution has them."""
        return self.write.derived if self.write is not None else ()

    @property
    def values(self) -> list[Derivation]:
        """The values of its outputs, of the columns that it writes, and of its conditions."""
        rows = [each.derivation for each in (*self.outputs, *self.written)]
        return [*rows, *(each.derivation for each in self.conditions)]

    def with_gaps(self, *gaps: Gap) -> Flow:
        """Return the flow with further gaps."""
        return replace(self, gaps=(*self.gaps, *gaps)) if gaps else self

    def without_gaps(self, gaps: Collection[Gap]) -> Flow:
        """Return the flow without some of its gaps."""
        return replace(self, gaps=tuple(gap for gap in self.gaps if gap not in gaps))

    def with_reads(self, *reads: Read) -> Flow:
        """Return the flow with further reads."""
        return replace(self, reads=(*self.reads, *reads)) if reads else self

    def with_outputs(self, outputs: Iterable[Output]) -> Flow:
        """Return the flow with other outputs."""
        return replace(self, outputs=tuple(outputs))

    def with_conditions(self, *conditions: Condition) -> Flow:
        """Return the flow with further conditions."""
        return replace(self, conditions=self.conditions + conditions) if conditions else self

    def without(self, is_inferred: Callable[[Conjunct], bool]) -> Flow:
        """Return the flow without the parts of its conditions that the optimizer inferred."""
        if not any(each.conjuncts for each in self.conditions):
            return self
        kept = (each.without(is_inferred) for each in self.conditions)
        return replace(self, conditions=tuple(each for each in kept if each is not None))

    def with_conditions_everywhere(self, conditions: Sequence[Condition]) -> Flow:
        """Return the flow with further conditions on the rows of each insert."""
        if not conditions:
            return self
        return replace(
            self.with_conditions(*conditions),
            inserts=tuple(insert.with_conditions(*conditions) for insert in self.inserts),
        )

    def completed(self) -> Flow:
        """Return the flow with its aggregation completed: the keys of the last step are the user's.

        Every operator that is not part of an aggregation calls this on its inputs.
        """
        if self.grouping is None:
            return self
        keys = tuple(Condition(key, Transformation.GROUP_BY) for key in self.grouping.keys)
        return replace(self, conditions=self.conditions + keys, grouping=None)

    def sorted_by_user(self) -> Flow:
        """Return the flow with its ordering as a condition: no operator above requires it."""
        if self.ordering is None:
            return self
        keys = tuple(Condition(key, Transformation.SORT) for key in self.ordering.keys)
        gaps = self.gaps + self.ordering.gaps
        return replace(self, conditions=self.conditions + keys, ordering=None, gaps=gaps)

    def ordered_for(self, texts: Iterable[str], *, is_kept: bool = False) -> Flow:
        """Return the flow without its ordering, if an operator requires exactly this ordering.

        Args:
            texts: The keys that the operator requires its input to be sorted by.
            is_kept: Whether its output has the order of its input: a sort by more keys may serve an operator above.
        """
        if self.ordering is None:
            return self
        required, printed = set(map(unescaped, texts)), tuple(map(unescaped, self.ordering.texts))
        if set(printed) <= required:
            return replace(self, ordering=None)
        return self if is_kept and set(printed[: len(required)]) == required else self.sorted_by_user()


def has_gap(gaps: Iterable[Gap], reason: GapReason) -> bool:
    """Return whether a gap has a reason."""
    return any(gap.reason is reason for gap in gaps)


def gaps_with(gaps: Iterable[Gap], reason: GapReason) -> tuple[Gap, ...]:
    """Return the gaps that have a reason."""
    return tuple(gap for gap in gaps if gap.reason is reason)


def combine(flows: Iterable[Flow]) -> Flow:
    """Return the combination of several inputs: all outputs, conditions and reads."""
    inputs = [flow.completed().sorted_by_user() for flow in flows]
    if len(inputs) == 1:
        return inputs[0]
    return Flow(
        outputs=tuple(chain.from_iterable(flow.outputs for flow in inputs)),
        conditions=tuple(chain.from_iterable(flow.conditions for flow in inputs)),
        reads=tuple(chain.from_iterable(flow.reads for flow in inputs)),
        gaps=tuple(chain.from_iterable(flow.gaps for flow in inputs)),
    )
