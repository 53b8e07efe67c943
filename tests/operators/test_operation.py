"""An operator at work: its rule changes nothing that the operators of its plan share."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.plan_context import PlanContext
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.grammar.symbols import Field
from eventlog_lineage.plan.tree.nodes import PlanNode

MERGE = "(id#1L = id#2L), [updateaction(None, assignment(amount#3, upper(amount)#4))]"


def at(context: PlanContext) -> Operation:
    node = PlanNode("MergeInto", "MergeInto", "", 1, {"Arguments": Field(MERGE)})
    return Operation(node, (), context, context.names)


def test_names_in_arguments_belong_to_the_operator_alone() -> None:
    context = PlanContext(names={})
    named = at(context).naming_arguments()
    assert sorted(named.unbound_arguments()) == [1, 2, 3, 4]
    assert named.names[4] == ("upper(amount)",)
    assert (context.names, at(context).unbound_arguments()) == ({}, {})


def test_what_an_operator_with_names_of_its_own_reports_is_reported_once() -> None:
    operation = at(PlanContext(names={}))
    operation.naming_arguments().bind("(id#1L = id#2L)", {1: source("db.t", "id")})
    (gap,) = operation.finish(Flow()).gaps
    assert gap.detail.startswith("id#2 ")


def test_no_rule_can_replace_what_the_operators_of_a_plan_share() -> None:
    with pytest.raises(FrozenInstanceError):
        PlanContext(names={}).names = {}  # type: ignore[misc]


def test_a_flow_with_other_outputs_has_another_scope() -> None:
    flow = Flow(outputs=(Output("a", 1, source("db.t", "a")),))
    assert list(flow.scope) == [1]
    assert list(flow.with_outputs((Output("b", 2, source("db.t", "b")),)).scope) == [2]
