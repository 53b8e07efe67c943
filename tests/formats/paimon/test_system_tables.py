"""System tables of Paimon, which scans print without their database."""

from __future__ import annotations

from eventlog_lineage.lineage.statement import PrintedNames, StatementContext
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.operators.plan_context import TableNames

SCAN = """== Physical Plan ==
BatchScan orders$snapshots (1)


(1) BatchScan orders$snapshots
Output [1]: [snapshot_id#7L]
PaimonScan: [orders$snapshots]
"""


def test_a_system_table_of_two_tables_is_unknown_and_a_gap() -> None:
    lineage = trace_texts(SCAN)
    assert [use.dataset.name for use in lineage.accesses] == ["relation:unknown@/dfc7970a"]
    assert [str(gap.reason) for gap in lineage.gaps] == ["unknown_source"]


def test_a_system_table_has_the_name_of_its_table() -> None:
    names = TableNames(unqualified=(("orders$snapshots", "sales.orders$snapshots"),))
    lineage = trace_texts(SCAN, context=StatementContext(names=PrintedNames(names)))
    assert [use.dataset.name.partition(".")[2] for use in lineage.accesses] == ["sales.orders$snapshots"]
    assert lineage.gaps == ()
