"""The summary of a plan, read by patterns, agrees with the rules, which read the whole plan: on generated plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from eventlog_lineage.lineage.tracing.resolve_plan import resolve
from eventlog_lineage.lineage.tracing.unbound_columns import unbound_attributes
from eventlog_lineage.plan.plan_text import PlanText


@dataclass
class Made:
    """An operator of a generated plan: its line, its block, the attributes that it outputs."""

    name: str
    arguments: str
    outputs: list[str]
    children: list[Made] = field(default_factory=list)
    details: str = ""
    number: int = 0

    def nodes(self) -> Iterator[Made]:
        """Yield the operators, inputs first."""
        for child in self.children:
            yield from child.nodes()
        yield self


class Plans:
    """Makes plans; each attribute has an id of its own."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._ids = 0

    def attributes(self, count: int) -> list[str]:
        """Return new attributes."""
        names = [self._draw(st.sampled_from(("id", "amount", "day", "sum(v)", "a b"))) for _ in range(count)]
        self._ids += count
        return [f"{name}#{self._ids - count + index}" for index, name in enumerate(names)]

    def leaf(self) -> Made:
        """Return a scan."""
        outputs = self.attributes(self._draw(st.integers(1, 3)))
        listed = ", ".join(outputs)
        kind = self._draw(st.sampled_from(("files", "rows", "empty", "values")))
        if kind == "files":
            schema = ",".join(f"{each.partition('#')[0]}:int" for each in outputs)
            details = f"Batched: true\nLocation: InMemoryFileIndex [file:/t]\nReadSchema: struct<{schema}>"
            return Made("Scan parquet db.t", "", outputs, [], details)
        if kind == "rows":
            return Made(
                "Scan ExistingRDD", f"[{listed}], MapPartitionsRDD[4] at checkpoint at a.py:1, Unknown", outputs
            )
        return Made("LocalTableScan", f"{'<empty>, ' if kind == 'empty' else ''}[{listed}]", outputs)

    def node(self, depth: int) -> Made:
        """Return an operator with at most `depth` levels below it."""
        if not depth:
            return self.leaf()
        kind = self._draw(st.sampled_from(("leaf", "project", "filter", "sort", "union")))
        if kind == "leaf":
            return self.leaf()
        below = self.node(depth - 1)
        if kind == "project":
            (new,) = self.attributes(1)
            kept = below.outputs[: self._draw(st.integers(0, len(below.outputs)))]
            items = [*kept, f"upper({below.outputs[0]}) AS {new}"]
            return Made("Project", "", [*kept, new], [below], f"Output [{len(items)}]: [{', '.join(items)}]")
        if kind == "filter":
            return Made("Filter", "", below.outputs, [below], f"Condition : isnotnull({below.outputs[0]})")
        if kind == "sort":
            return Made("Sort", f"[{below.outputs[0]} ASC NULLS FIRST], true, 0", below.outputs, [below])
        return Made("Union", "", below.outputs, [below, self.of_width(len(below.outputs))])

    def of_width(self, width: int) -> Made:
        """Return a scan of an RDD with a number of columns."""
        outputs = self.attributes(width)
        return Made(
            "Scan ExistingRDD", f"[{', '.join(outputs)}], MapPartitionsRDD[5] at rdd at a.py:2, Unknown", outputs
        )


def formatted(root: Made) -> str:
    """A plan as `explainMode=formatted` prints it."""
    nodes = list(root.nodes())
    for number, node in enumerate(nodes, 1):
        node.number = number
    lines: list[str] = []

    def add(node: Made, indent: str, branch: str) -> None:
        lines.append(f"{indent}{branch}{node.name} ({node.number})")
        inner = indent + {"": "", ":- ": ":  ", "+- ": "   "}[branch]
        for at, child in enumerate(node.children):
            add(child, inner, "+- " if at == len(node.children) - 1 else ":- ")

    add(root, "", "")
    blocks = []
    for node in nodes:
        printed = [f"({node.number}) {node.name}"]
        if not node.children:
            printed.append(f"Output [{len(node.outputs)}]: [{', '.join(node.outputs)}]")
        elif len(node.children) == 1:
            inputs = node.children[0].outputs
            printed.insert(2 if node.name == "Project" else 1, f"Input [{len(inputs)}]: [{', '.join(inputs)}]")
        printed += [node.details] if node.details else []
        printed += [f"Arguments: {node.arguments}"] if node.arguments else []
        blocks.append("\n".join(printed))
    return "== Physical Plan ==\n" + "\n".join(lines) + "\n\n\n" + "\n\n".join(blocks) + "\n"


@st.composite
def plans(draw: st.DrawFn) -> Made:
    root = Plans(draw).node(draw(st.integers(0, 3)))
    if draw(st.booleans()):
        names = ", ".join(f"c{index}" for index in range(len(root.outputs)))
        arguments = f"file:/out, false, Parquet, [path=/out], Append, [{names}]"
        return Made("Execute InsertIntoHadoopFsRelationCommand", arguments, [], [root])
    return root


@settings(max_examples=150, deadline=None)
@given(plans())
def test_the_summary_lists_what_the_rules_leave_unbound(root: Made) -> None:
    plan = PlanText(formatted(root))
    flow = resolve(plan.physical).flow
    derivations = [each.derivation for each in (*flow.outputs, *(flow.write.columns or () if flow.write else ()))]
    derivations += [each.derivation for each in flow.conditions]
    assert unbound_attributes(derivations).keys() <= plan.summary.unbound


@settings(max_examples=100, deadline=None)
@given(plans())
def test_the_summary_has_the_command_that_the_rules_find(root: Made) -> None:
    plan = PlanText(formatted(root))
    assert plan.summary.command == resolve(plan.physical).flow.command


@settings(max_examples=100, deadline=None)
@given(plans())
def test_the_summary_has_the_rows_that_the_rules_read_from_rdds(root: Made) -> None:
    plan = PlanText(formatted(root))
    scanned = {id(node): node for node in root.nodes() if node.name == "Scan ExistingRDD"}
    expected = [tuple(int(each.rpartition("#")[2]) for each in node.outputs) for node in scanned.values()]
    assert sorted(scan.ids for scan in plan.summary.row_scans) == sorted(expected)


def test_a_scan_of_an_rdd_is_unbound_in_both() -> None:
    scan = Made("Scan ExistingRDD", "[k#7], MapPartitionsRDD[4] at checkpoint at a.py:1, Unknown", ["k#7"])
    plan = PlanText(formatted(scan))
    unbound = unbound_attributes(each.derivation for each in resolve(plan.physical).flow.outputs)
    assert unbound.keys() == plan.summary.unbound == {7}
