"""What flows out of an operator: its outputs over source columns, and what else had influence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eventlog_lineage.model import Dataset, Gap, Transformation
from eventlog_lineage.observed_schemas import SchemaObservation
from eventlog_lineage.operators.derivations.derivation import Derivation


@dataclass(frozen=True, slots=True)
class Output:
    """An output attribute: its name, its id, where its value comes from."""

    name: str
    number: int
    derivation: Derivation


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that influences all of an operator's rows: a filter, join keys, grouping keys, a sort."""

    derivation: Derivation
    kind: Transformation


@dataclass(frozen=True, slots=True)
class Read:
    """A dataset that an operator reads, with the columns it reads in the relation's order.

    `schema` is the scan's `ReadSchema`, empty where it prints none; `is_truncated` says that Spark cut the columns.
    """

    dataset: Dataset
    columns: tuple[str, ...]
    node_name: str
    schema: str = ""
    is_truncated: bool = False


@dataclass(frozen=True, slots=True)
class Write:
    """What a command writes.

    Attributes:
        target: The dataset.
        mode: As `DatasetAccess.mode`.
        columns: The target's columns in order, each with its derivation; None where the command does
            not say and another execution of the statement must.
        names: The column names where the command names them without their derivations.
        location: The URI that is written, where the target is a table and its files are known.
        partition_columns: The columns that the target's folders are named by.
        node_name: The command as printed.
        managed: The statement makes the table and gives it no place: it lies where its catalog puts it.
        definition: What a definition says of the target's schema.
        is_typed: The target is named as the user wrote it, without its database: it is taken for the default one's.
        is_cut: Spark cut the list of columns off (`... 38 more fields`): `columns` or `names` are the first ones only.
    """

    target: Dataset
    mode: str
    columns: tuple[Output, ...] | None
    names: tuple[str, ...] = ()
    location: str = ""
    partition_columns: tuple[str, ...] = ()
    node_name: str = ""
    managed: bool = False
    definition: SchemaObservation | None = None
    is_typed: bool = False
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Grouping:
    """An aggregation that another operator may still finish.

    Spark splits one aggregation over several operators. Only the last one's keys are the user's: those of
    the others may hold the columns of a `count(DISTINCT …)`.

    Attributes:
        keys: Its grouping keys.
        functions: (text without its phase, derivation) of its aggregate functions.
    """

    keys: tuple[Derivation, ...]
    functions: tuple[tuple[str, Derivation], ...]


@dataclass(frozen=True, slots=True)
class Ordering:
    """A sort within partitions that an operator above may have asked for.

    Attributes:
        texts: The keys as printed, without direction.
        keys: The keys.
    """

    texts: tuple[str, ...]
    keys: tuple[Derivation, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """What an operator gives its consumer.

    Attributes:
        outputs: In order; an attribute can stand twice.
        conditions: What influenced the rows so far.
        reads: Every dataset read so far.
        grouping: An aggregation that is not finished yet.
        ordering: A sort that nothing has asked for yet.
        write: What is written, for a command.
        command: The name of the command that it is, DDL included; empty for a query.
        gaps: What could not be told so far.
        inserts: The writes of a multi-insert (`FROM … INSERT INTO … INSERT INTO …`), each with what is below it.
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
    _scope: dict[int, Derivation] = field(init=False, default_factory=dict)

    @property
    def scope(self) -> Mapping[int, Derivation]:
        """Attribute id to derivation, for the expressions of a consumer."""
        if not self._scope:
            for output in reversed(self.outputs):
                self._scope[output.number] = output.derivation
        return self._scope

    def with_outputs(self, outputs: Iterable[Output]) -> Flow:
        """The same rows with other columns."""
        return replace(self, outputs=tuple(outputs))

    def under(self, *conditions: Condition) -> Flow:
        """The same columns, with more influences on the rows."""
        return replace(self, conditions=self.conditions + conditions) if conditions else self

    def under_all(self, conditions: Sequence[Condition]) -> Flow:
        """The same, with more influences on the rows of each insert."""
        if not conditions:
            return self
        return replace(self.under(*conditions), inserts=tuple(insert.under(*conditions) for insert in self.inserts))

    def settled(self) -> Flow:
        """With its grouping finished: its keys were the user's.

        Every operator that is not part of an aggregation settles what is below it.
        """
        if self.grouping is None:
            return self
        keys = tuple(Condition(key, Transformation.GROUP_BY) for key in self.grouping.keys)
        return replace(self, conditions=self.conditions + keys, grouping=None)

    def sorted_by_user(self) -> Flow:
        """With its ordering counted: nothing above asked for it."""
        if self.ordering is None:
            return self
        keys = tuple(Condition(key, Transformation.SORT) for key in self.ordering.keys)
        return replace(self, conditions=self.conditions + keys, ordering=None)

    def ordered_for(self, texts: Iterable[str]) -> Flow:
        """With its ordering taken as this operator's own need, if it is the one that it needs."""
        if self.ordering is None:
            return self
        if set(self.ordering.texts) <= set(texts):
            return replace(self, ordering=None)
        return self.sorted_by_user()


def combine(flows: Iterable[Flow]) -> Flow:
    """Several inputs as one: outputs side by side, influences and reads together."""
    inputs = [flow.settled().sorted_by_user() for flow in flows]
    if len(inputs) == 1:
        return inputs[0]
    return Flow(
        outputs=tuple(output for flow in inputs for output in flow.outputs),
        conditions=tuple(condition for flow in inputs for condition in flow.conditions),
        reads=tuple(read for flow in inputs for read in flow.reads),
        gaps=tuple(gap for flow in inputs for gap in flow.gaps),
    )
