"""Rules are found by the names of their operators, and each describes its operator."""

from __future__ import annotations

from eventlog_lineage.operators.registry import rules


def test_every_rule_describes_its_operator() -> None:
    assert {name for name, rule in rules().items() if not rule.__doc__} == set()
