"""Attributes that one plan leaves open and another one of the application explains.

An attribute id is unique in an application (`NamedExpression.newExprId`): what a checkpoint, an RDD scan or an
emptied relation outputs under `amount#46` is what the execution that made `amount#46` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from eventlog_lineage.operators.derivations.derivation import Derivation, Influence, Origin, Part, Sources, chain, merge

from .flow import Condition, Flow, Output

Known = Mapping[int, Output]
"""Attribute id to the output of the plan that made it."""


def explain(flow: Flow, known: Known) -> tuple[Flow, tuple[str, ...]]:
    """Replaces a flow's open attributes by what makes them.

    Args:
        flow: The flow of a whole plan.
        known: What other plans say.

    Returns:
        The flow over datasets' columns only, and the names of the attributes that nothing explains.
    """
    if not any(_is_open(each) for each in (flow, *flow.inserts)):
        return flow, ()
    stitcher = _Linker(known)
    explained = _explained(flow, stitcher)
    inserts = tuple(_explained(insert, stitcher) for insert in flow.inserts)
    return replace(explained, inserts=inserts), tuple(sorted(stitcher.unexplained))


def _explained(flow: Flow, stitcher: _Linker) -> Flow:
    outputs = [stitcher.output(output) for output in flow.outputs]
    conditions = tuple(Condition(stitcher.replace(each.derivation), each.kind) for each in flow.conditions)
    write = flow.write
    if write is not None and write.columns is not None:
        write = replace(write, columns=tuple(stitcher.output(column) for column in write.columns))
    return Flow(tuple(outputs), conditions, flow.reads, None, None, write, flow.command, flow.gaps)


def replaced(derivation: Derivation, known: Known) -> Derivation:
    """A derivation with those of its open attributes replaced that are known; the others stay open."""
    stitcher = _Linker(known, keep=True)
    return stitcher.replace(derivation)


def _is_open(flow: Flow) -> bool:
    columns = flow.write.columns or () if flow.write else ()
    derivations = [output.derivation for output in (*flow.outputs, *columns)]
    derivations += [condition.derivation for condition in flow.conditions]
    return any(not origin.dataset for each in derivations for origin, _ in each.sources)


class _Linker:
    """Replaces open attributes in a graph of derivations, each derivation once."""

    def __init__(self, known: Known, *, keep: bool = False) -> None:
        self._known = known
        self._keep = keep  # what is not known stays as it is
        self._done: dict[int, Derivation] = {}
        self._kept: list[Derivation] = []
        self.unexplained: set[str] = set()

    def output(self, output: Output) -> Output:
        return Output(output.name, output.number, self.replace(output.derivation))

    def replace(self, root: Derivation) -> Derivation:
        """The derivation over what is known; from the inside out, without recursion."""
        stack = [root]
        while stack:
            derivation = stack[-1]
            if id(derivation) in self._done:
                stack.pop()
                continue
            inner = [part for part in self._inside(derivation) if id(part) not in self._done]
            if inner:
                stack.extend(inner)
                continue
            self._done[id(derivation)] = self._replaced(derivation)
            self._kept.append(derivation)  # keeps the id from being given to another object
            stack.pop()
        return self._done[id(root)]

    @staticmethod
    def _inside(derivation: Derivation) -> list[Derivation]:
        parts = [part for part in derivation.parts if isinstance(part, Derivation)]
        return [*parts, *(derivation.fields or {}).values()]

    def _replaced(self, derivation: Derivation) -> Derivation:
        if all(origin.dataset for origin, _ in derivation.sources):
            return derivation
        sources = merge([self._closed(derivation.sources), *self._opened(derivation.sources)])
        fields = derivation.fields and {name: self._done[id(part)] for name, part in derivation.fields.items()}
        column = derivation.column
        if column is not None and not column.dataset:
            made = self._made(column)
            column = made.column if made else column if self._keep else None
        return Derivation(sources, [self._part(part) for part in derivation.parts], fields, column)

    def _closed(self, sources: Sources) -> Sources:
        return {key: each for key, each in sources.items() if key[0].dataset or self._stays_open(key[0])}

    def _stays_open(self, origin: Origin) -> bool:
        return self._keep and not origin.dataset and self._made(origin) is None

    def _opened(self, sources: Sources) -> list[Sources]:
        """What the open attributes among the sources are made of."""
        opened: list[Sources] = []
        for (origin, kind), influence in sources.items():
            if origin.dataset:
                continue
            made = self._made(origin)
            if made is None:
                self.unexplained.add(origin.column)
                continue
            opened.append(
                {
                    (below, chain(kind, step)): Influence(
                        influence.masking or inner.masking, max(influence.confidence, inner.confidence)
                    )
                    for (below, step), inner in made.sources.items()
                }
            )
        return opened

    def _part(self, part: Part) -> Part:
        if isinstance(part, Derivation):
            return self._done[id(part)]
        if isinstance(part, Origin) and not part.dataset:
            return self._made(part) or (part if self._keep else part.column)
        return part

    def _made(self, origin: Origin) -> Derivation | None:
        output = self._known.get(origin.attribute)
        if output is None:
            return None
        derivation = output.derivation
        path = origin.column[len(output.name) + 1 :]
        for name in path.split(".") if path else ():
            derivation = derivation.field(name)
        return derivation
