"""Accumulators to what scans and writes moved."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from eventlog_lineage.events.records import OperatorMetrics

if TYPE_CHECKING:
    from eventlog_lineage.events.listener_events import MetricsNode

    from .interning import Shared

_LARGEST = 2**63 - 1


class MetricValues(Mapping[str, int]):
    """Metric names and values in a third of a dictionary's memory: operators of a kind share the names."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: tuple[str, ...], values: Iterable[int]) -> None:
        self._names: Final = names
        self._values: Final = array("q", values)

    def __getitem__(self, name: str) -> int:
        try:
            return self._values[self._names.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def get(self, name: str, default: Any = None) -> Any:
        """Give the value of a metric; without an error on the way, of which most lookups here would have one."""
        return self._values[self._names.index(name)] if name in self._names else default

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __hash__(self) -> int:
        return hash((self._names, tuple(self._values)))

    def __reduce__(self) -> tuple[object, ...]:
        return (MetricValues, (self._names, tuple(self._values)))


class ExecutionMetrics:
    """Collects one execution's metrics while its events pass by.

    Every value is the whole of its accumulator at that time: Spark's scheduler logs the sum over all tasks so far with
    each completed stage (`DAGScheduler.updateAccumulators`), and the driver logs what it set. So the last one counts.

    The operators of the first plan stay beside those of the last: adaptive execution drops scans from a plan once
    it knows that nothing comes of them, though they ran. A scan that was planned anew has values in one of them only.
    """

    __slots__ = ("_first", "_last", "_values", "_wanted")

    def __init__(self) -> None:
        self._first: tuple[MetricsNode, ...] = ()
        self._last: tuple[MetricsNode, ...] = ()
        self._values: dict[int, int] = {}
        self._wanted: frozenset[int] | None = None

    def start(self, nodes: tuple[MetricsNode, ...]) -> None:
        """Take the operators of the plan at the start."""
        self._first = nodes

    def replan(self, nodes: tuple[MetricsNode, ...]) -> None:
        """Take the operators of a later plan."""
        self._last = nodes

    def update(self, values: Iterable[tuple[int, int]]) -> None:
        """Take accumulators' values."""
        wanted = self._wanted
        self._values.update(
            values if wanted is None else ((number, value) for number, value in values if number in wanted)
        )

    def narrow(self) -> None:
        """Forget what belongs to other operators, as soon as no other plan can come."""
        self._wanted = frozenset(number for node in (*self._first, *self._last) for _, number in node.metrics)
        self._values = {number: value for number, value in self._values.items() if number in self._wanted}

    def operators(self, shared: Shared) -> tuple[OperatorMetrics, ...]:
        """Give the operators that have values."""
        given: set[int] = set()
        operators = []
        for node in (*self._last, *self._first):
            known = {
                name: self._values[number] for name, number in node.metrics if self._has(number) and number not in given
            }
            given.update(number for _, number in node.metrics)
            if known:
                values = MetricValues(shared(tuple(known)), known.values())
                name, location = shared(node.node_name), shared(node.location)
                operators.append(OperatorMetrics(name, location, values))
        return tuple(operators)

    def _has(self, accumulator: int) -> bool:
        """Return whether a value was logged; -1 is how Spark says of a size that there is none (`SQLMetrics`)."""
        return 0 <= self._values.get(accumulator, -1) <= _LARGEST
