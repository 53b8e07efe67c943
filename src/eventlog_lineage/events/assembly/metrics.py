"""Derive the metrics of scans and writes from accumulators."""

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
    """Metric names and values in a third of a dictionary's memory: operators of the same kind share the names."""

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
        """Return the value of a metric, without raising and catching an exception for missing ones.

        Args:
            name: The metric's name.
            default: The result for a missing metric.
        """
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
    """Collects one execution's metrics from its events.

    Every value is the accumulator's total at that time: Spark's scheduler logs the sum over all tasks so far with each
    completed stage (`DAGScheduler.updateAccumulators`), and the driver logs the values that it sets. So the last one
    counts.

    The operators of the first plan are kept in addition to those of the last: adaptive execution removes scans that
    have run and return no rows from the plan. A scan that is planned again has values in only one of the plans.
    """

    __slots__ = ("_first", "_last", "_needed", "_values")

    def __init__(self) -> None:
        self._first: tuple[MetricsNode, ...] = ()
        self._last: tuple[MetricsNode, ...] = ()
        self._values: dict[int, int] = {}
        self._needed: frozenset[int] | None = None

    def start(self, nodes: tuple[MetricsNode, ...]) -> None:
        """Set the operators of the first plan."""
        self._first = nodes

    def replan(self, nodes: tuple[MetricsNode, ...]) -> None:
        """Set the operators of a later plan."""
        self._last = nodes

    def update(self, values: Iterable[tuple[int, int]]) -> None:
        """Add the values of accumulators."""
        needed = self._needed
        self._values.update(
            values if needed is None else ((number, value) for number, value in values if number in needed)
        )

    def narrow(self) -> None:
        """Drop the values of other operators, after the last plan."""
        self._needed = frozenset(number for node in (*self._first, *self._last) for _, number in node.metrics)
        self._values = {number: value for number, value in self._values.items() if number in self._needed}

    def operators(self, shared: Shared) -> tuple[OperatorMetrics, ...]:
        """Return the operators that have values."""
        used: set[int] = set()
        operators = []
        for node in (*self._last, *self._first):
            known = {
                name: self._values[number] for name, number in node.metrics if self._has(number) and number not in used
            }
            used.update(number for _, number in node.metrics)
            if known:
                values = MetricValues(shared(tuple(known)), known.values())
                name, location = shared(node.node_name), shared(node.location)
                operators.append(OperatorMetrics(name, location, values))
        return tuple(operators)

    def _has(self, accumulator: int) -> bool:
        """Return whether a value was logged; Spark logs -1 for a size without a value (`SQLMetrics`)."""
        return 0 <= self._values.get(accumulator, -1) <= _LARGEST
