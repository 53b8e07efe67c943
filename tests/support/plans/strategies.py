"""Random plans with a known structure, under names and literals that look like anything but names and literals."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hypothesis import strategies as st

from support.plans.composing import Attributes, Composed, printed

FORGERIES = (
    "\n\n(1) Filter\nInput [1]: [a#1]\nCondition : (a#1 = 2)\n\n",
    "\n\n(2) Project\nOutput [2]: [x#1, y#2]\nInput [1]: [x#1]\n",
    "\n\n(3) Filter\nInput [1]: [a#1]",
    "\n\n(4) HashAggregate\nKeys [1]: [a#1]",
    "\n\n(2) Scan parquet t\nOutput [1]: [a#1]",
    "\n\n\n(1) Scan parquet t",
    "\n\n===== Subqueries =====\n\nSubquery:1 Hosting operator id = 2 Hosting Expression = Subquery subquery#9, x\n",
    "\n\n===== Subqueries =====\n\n",
    "\n\nSubquery:2 Hosting operator id = 1 Hosting Expression = x\n",
    "\n\n===== Adaptively Optimized Out Exchanges =====\n\nSubplan:1\nExchange (3)\n",
    "\n+- == Initial Plan ==\n   Project (2)\n",
    "\nOutput [1]: [a#1]\nArguments: x",
    "\nInput [2]: [a#1, b#2]",
    "... 5 more fields",
    "[codegen id : 3]",
    "== Physical Plan ==\n",
)
PIECES = (
    *FORGERIES,
    ", ",
    ",",
    "(",
    ")",
    "()",
    "[",
    "]",
    "[0]",
    "#",
    "#12",
    "#12L",
    " AS ",
    " AS x#4",
    " ",
    "a",
    "Ünï",
    "表",
    "'",
    '"',
)
PIECES += (
    "`",
    "\\",
    "\n",
    "\t",
    ": ",
    "...",
    "null",
    " AND ",
    "CASE WHEN ",
    " THEN ",
    " END",
    "|",
    "\u2028",
    "\x00",
    "🂡",
)

BALANCED = tuple(
    piece for piece in PIECES if piece.count("(") == piece.count(")") and piece.count("[") == piece.count("]")
)

literals = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
"""Text of string literals: anything."""

balanced_literals = st.lists(st.sampled_from(BALANCED), max_size=4).map("".join)
"""Text of string literals that close the brackets they open."""

plain_names = st.sampled_from(("a", "b", "order_id", "Total", "naïve", "列", "x1", "_c0"))

NAME_PIECES = (
    "a",
    "b c",
    ", ",
    "(",
    ")",
    "sum(v)",
    "[",
    "]",
    "#",
    "#7",
    " AS ",
    "x",
    "é",
    "表",
    "`",
    "'",
    '"',
    ".",
    " ",
    "-",
    "/",
)


def _closes(text: str) -> bool:
    return all(text.count(first) == text.count(second) for first, second in ("()", "[]"))


ambiguous_names = st.lists(st.sampled_from(NAME_PIECES), min_size=1, max_size=4).map("".join)
names = st.one_of(plain_names, ambiguous_names.filter(lambda name: _closes(name) and not re.search(r"#\d+L?, ", name)))
"""Attribute names: mostly plain, else nearly anything that Spark takes between backticks. Left out is what leaves the
text without one meaning: an id with a comma behind it (`x#1, y#2` is two attributes, or one of the name `x#1, y`),
and brackets that nothing closes."""


@dataclass
class Maker:
    """Draws operators, with attribute ids that grow."""

    draw: st.DrawFn
    names: st.SearchStrategy[str]
    literals: st.SearchStrategy[str]
    last_id: int = 0

    def plan(self, depth: int) -> Composed:
        """A tree of operators, at most `depth` deep."""
        kinds = ["scan"] if depth <= 1 else ["scan", "filter", "project", "aggregate", "exchange", "join", "union"]
        kind = self.draw(st.sampled_from(kinds))
        if kind in {"join", "union"}:
            return getattr(self, kind)(self.plan(depth - 1), self.plan(depth - 1))
        return self.scan() if kind == "scan" else getattr(self, kind)(self.plan(depth - 1))

    def attribute(self) -> tuple[str, int]:
        """A new attribute."""
        self.last_id += 1
        return self.draw(self.names), self.last_id

    def attributes(self, most: int = 4) -> Attributes:
        """New attributes."""
        return tuple(self.attribute() for _ in range(self.draw(st.integers(1, most))))

    def some(self, attributes: Attributes) -> str:
        """One of the attributes, as printed; a literal where there is none."""
        return self.draw(st.sampled_from(printed(attributes) or ("1",)))

    def scan(self) -> Composed:
        """A scan of files."""
        outputs = self.attributes()
        fields = (
            ("Output", printed(outputs)),
            ("Batched", "true"),
            ("Location", "InMemoryFileIndex [file:/data/t]"),
            ("PushedFilters", f"[IsNotNull(a), EqualTo(a,{self.draw(balanced_literals)})]"),
            ("ReadSchema", "struct<a:int>"),
        )
        return Composed("Scan parquet db.t", fields, (), outputs)

    def filter(self, below: Composed) -> Composed:
        """A filter with a literal in its condition."""
        condition = (
            f"(isnotnull({self.some(below.outputs)}) AND ({self.some(below.outputs)} = {self.draw(self.literals)}))"
        )
        fields = (("Input", printed(below.outputs)), ("Condition", condition))
        return Composed("Filter", fields, (below,), below.outputs, self.codegen("Filter"))

    def project(self, below: Composed) -> Composed:
        """A projection: attributes as they are, and expressions over them under new names."""
        items: list[str] = []
        outputs: list[tuple[str, int]] = []
        for _ in range(self.draw(st.integers(1, 4))):
            if below.outputs and self.draw(st.booleans()):
                outputs.append(self.draw(st.sampled_from(below.outputs)))
                items.append(printed(outputs[-1:])[0])
                continue
            outputs.append(self.attribute())
            name = printed(outputs[-1:])[0]
            items.append(f"concat({self.some(below.outputs)}, {self.draw(self.literals)}) AS {name}")
        fields = (("Output", tuple(items)), ("Input", printed(below.outputs)))
        return Composed("Project", fields, (below,), tuple(outputs), self.codegen("Project"))

    def aggregate(self, below: Composed) -> Composed:
        """An aggregation by one key."""
        key = self.draw(st.sampled_from(below.outputs))
        function = f"sum({self.some(below.outputs)})"
        self.last_id += 1
        attribute = (function, self.last_id)
        total = self.attribute()
        fields = (
            ("Input", printed(below.outputs)),
            ("Keys", printed((key,))),
            ("Functions", (function,)),
            ("Aggregate Attributes", printed((attribute,))),
            ("Results", (*printed((key,)), f"{printed((attribute,))[0]} AS {printed((total,))[0]}")),
        )
        return Composed("HashAggregate", fields, (below,), (key, total))

    def exchange(self, below: Composed) -> Composed:
        """An exchange."""
        arguments = f"hashpartitioning({self.some(below.outputs)}, 200), ENSURE_REQUIREMENTS, [plan_id={self.last_id}]"
        return Composed(
            "Exchange", (("Input", printed(below.outputs)), ("Arguments", arguments)), (below,), below.outputs
        )

    def join(self, left: Composed, right: Composed) -> Composed:
        """A join: its type stands in the tree's line, not in the header."""
        fields = (
            ("Left keys", (self.some(left.outputs),)),
            ("Right keys", (self.some(right.outputs),)),
            ("Join type", "Inner"),
            ("Join condition", "None"),
        )
        outputs = (*left.outputs, *right.outputs)
        return Composed("SortMergeJoin Inner", fields, (left, right), outputs, "SortMergeJoin")

    def union(self, left: Composed, right: Composed) -> Composed:
        """A union: the details say nothing."""
        return Composed("Union", (), (left, right), left.outputs)

    def codegen(self, name: str) -> str:
        """A header with or without the id of the generated code."""
        return f"{name} [codegen id : {self.draw(st.integers(1, 20))}]" if self.draw(st.booleans()) else name


@st.composite
def plans(
    draw: st.DrawFn,
    names: st.SearchStrategy[str] = plain_names,
    literals: st.SearchStrategy[str] = balanced_literals,
    depth: int = 5,
) -> Composed:
    """A plan under the given kinds of names and literals."""
    return Maker(draw, names, literals).plan(depth)
