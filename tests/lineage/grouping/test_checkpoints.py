"""Which execution made the rows that a plan reads through an RDD."""

from __future__ import annotations

from eventlog_lineage.catalog.application_facts import ExecutionSummary
from eventlog_lineage.events.records import JobFacts
from eventlog_lineage.lineage.grouping.plan_links import Checkpoints
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_summary import PlanSummary, pack_summary, unpack_summary
from eventlog_lineage.plan.summary.scan_facts import RowScan

FORMATTED = """== Physical Plan ==
* Scan ExistingRDD (1)


(1) Scan ExistingRDD [codegen id : 1]
Output [2]: [cust#20, total#21]
Arguments: [cust#20, total#21], MapPartitionsRDD[301] at checkpoint at Job.scala:9, ExistingRDD, UnknownPartitioning(0)

"""
EXTENDED = """== Parsed Logical Plan ==
LogicalRDD [cust#20, total#21], false

== Analyzed Logical Plan ==
cust: string, total: double
LogicalRDD [cust#20, total#21], false

== Optimized Logical Plan ==
LogicalRDD [cust#20, total#21], false

== Physical Plan ==
*(1) Scan ExistingRDD[cust#20,total#21]
"""


def run(number: int, call: str, *rdds: int, ids: tuple[int, ...] = (20, 21)) -> ExecutionSummary:
    facts = JobFacts(checkpoints=rdds)
    return ExecutionSummary(number, number, "", number, number, PlanSummary("f", ids=ids), job_facts=facts, call=call)


def maker(runs: list[ExecutionSummary], scan: RowScan, reader: ExecutionSummary | None = None) -> int | None:
    found = Checkpoints(runs).producer_of(reader or runs[-1], scan)
    return found.execution_id if found else None


def test_a_scan_of_rows_has_its_attributes_and_in_formatted_text_the_number_of_its_rdd() -> None:
    assert PlanText(FORMATTED).summary.row_scans == (RowScan((20, 21), 301, "cust, total"),)
    assert PlanText(EXTENDED).summary.row_scans == (RowScan((20, 21), names="cust,total"),)
    summary = PlanText(FORMATTED).summary
    assert unpack_summary(pack_summary(summary)) == summary


def test_of_two_checkpoints_with_equal_attributes_the_rdd_decides() -> None:
    runs = [run(1, "checkpoint", 301), run(2, "collectToPython"), run(3, "localCheckpoint", 301, 320), run(4, "")]
    assert maker(runs, RowScan((20, 21), 301)) == 1
    assert maker(runs, RowScan((20, 21), 320)) == 3
    assert maker(runs, RowScan((70, 71), 320)) == 3  # one side of a join of a checkpoint with itself


def test_without_the_rdds_number_the_jobs_of_the_reader_decide() -> None:
    runs = [run(1, "checkpoint", 301), run(2, "checkpoint", 320), run(3, "", 301)]
    assert maker(runs, RowScan((20, 21))) == 1


def test_a_lazy_checkpoint_is_the_last_one_with_the_attributes_and_without_a_job() -> None:
    runs = [run(1, "checkpoint"), run(2, "checkpoint", 301), run(3, "", 299)]
    assert maker(runs, RowScan((20, 21), 299)) == 1


def test_rows_that_no_checkpoint_made_have_no_maker() -> None:
    assert maker([run(1, "collectToPython"), run(2, "")], RowScan((20, 21), 7)) is None
    assert maker([run(1, "checkpoint", 301), run(2, "")], RowScan((70, 71), 7)) is None
    later = [run(1, ""), run(2, "checkpoint")]
    assert maker(later, RowScan((20, 21)), later[0]) is None


def joined(execution: int, *scans: RowScan, rdds: tuple[int, ...] = ()) -> ExecutionSummary:
    summary = PlanSummary("j", ids=tuple(number for scan in scans for number in scan.ids), row_scans=scans)
    return ExecutionSummary(
        execution, execution, "", execution, execution, summary, job_facts=JobFacts(checkpoints=rdds)
    )


def test_a_side_with_new_ids_has_the_rows_of_the_other_side() -> None:
    own, copy, other = RowScan((20, 21), names="k,v"), RowScan((70, 71), names="k,v"), RowScan((80, 81), names="k,w")
    runs = [run(1, "checkpoint"), run(2, "checkpoint", ids=(30, 31)), joined(3, own, copy, other)]
    assert maker(runs, copy) == 1
    assert maker(runs, other) is None
    numbered = [RowScan((20, 21), 301, "k,v"), RowScan((70, 71), 301, "k,v"), RowScan((80, 81), 302, "k,v")]
    runs = [run(1, "checkpoint"), joined(2, *numbered)]
    assert [maker(runs, each) for each in numbered] == [1, 1, None]


def test_a_side_with_new_ids_has_no_maker_where_two_checkpoints_have_the_ids_of_the_other_side() -> None:
    own, copy = RowScan((20, 21), names="k,v"), RowScan((70, 71), names="k,v")
    runs = [run(1, "checkpoint"), run(2, "checkpoint", ids=(19, 20, 21)), joined(3, own, copy)]
    assert maker(runs, copy) is None
    runs = [run(1, "checkpoint", 5), run(2, "checkpoint", 7, ids=(19, 20, 21)), joined(3, own, copy, rdds=(5,))]
    assert maker(runs, copy) == 1


def test_a_checkpoint_with_new_ids_is_the_only_one_that_the_jobs_read() -> None:
    copy, other = RowScan((70, 71), names="k,v"), RowScan((80, 81), names="k,w")
    runs = [run(1, "checkpoint", 5), run(2, "checkpoint", 7), joined(3, copy, rdds=(5,))]
    assert maker(runs, copy) == 1
    assert maker([*runs[:2], joined(3, copy, rdds=(5, 7))], copy) is None
    assert maker([*runs[:2], joined(3, copy, other, rdds=(5,))], copy) is None
    assert maker(runs, RowScan((70, 71), 9, "k,v")) is None  # formatted text: rows of another RDD


def test_a_query_of_a_batchs_function_makes_the_checkpoint_whose_first_job_it_runs() -> None:
    def in_batch(number: int, *rdds: int, command: str = "", scan: int = 1) -> ExecutionSummary:
        summary = PlanSummary("b", ids=(20, 21), command=command, row_scans=(RowScan((20, 21), scan, "k,v"),))
        facts = JobFacts(checkpoints=rdds)
        return ExecutionSummary(number, 1, "", number, number, summary, "r", 0, job_facts=facts, call="start")

    def of(*runs: ExecutionSummary) -> int | None:
        found = Checkpoints(runs, readers={1}).producer_of(runs[-1], RowScan((20, 21), 5, "k,v"))
        return found.execution_id if found else None

    assert of(in_batch(1), in_batch(2, 5), in_batch(3, 5, command="SaveAsV1TableCommand")) == 2
    assert of(in_batch(1), in_batch(2, 5, scan=5), in_batch(3, 5, command="SaveAsV1TableCommand")) is None  # a lazy one
    assert of(in_batch(1), in_batch(2, 5, command="SaveAsV1TableCommand"), in_batch(3, 5)) is None
