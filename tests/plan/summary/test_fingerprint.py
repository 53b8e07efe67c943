"""The same plan has the same fingerprint, whatever varies from run to run, and no other plan has."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.plan.plan_text import PlanText, SummaryCache
from eventlog_lineage.plan.summary.fingerprint import number_plan
from eventlog_lineage.plan.summary.plan_summary import PlanSummary, pack_summary, unpack_summary
from eventlog_lineage.redaction import PLAIN
from support.plans.composing import Composed, formatted
from support.plans.strategies import literals, names, plans

SCAN = "== Physical Plan ==\nScan parquet db.t (1)\n\n\n(1) Scan parquet db.t\nOutput [2]: [id#41L, name#42]\n"


@given(plans(literals=literals), st.integers(0, 10**6))
def test_other_ids_make_no_other_plan(plan: Composed, offset: int) -> None:
    text = formatted(plan)
    moved = re.sub(r"#(\d+)", lambda match: f"#{int(match[1]) + 1000 + offset}", text)
    assert number_plan(moved).fingerprint == number_plan(text).fingerprint or re.search(r"x#4|#7|#12", text)


def test_ids_are_numbered_by_their_first_appearance() -> None:
    assert number_plan(SCAN).ids == (41, 42)
    assert number_plan(SCAN + "Input [2]: [name#42, id#41L]").ids == (41, 42)


def test_texts_with_the_same_words_are_the_same_plan_only_if_the_same_ids_come_again() -> None:
    twice, other = (f"{SCAN}Input [2]: [name#42, id#{number}L]" for number in (41, 43))
    moved = twice.replace("#41", "#71").replace("#42", "#72")
    assert number_plan(moved) == number_plan(twice)._replace(ids=(71, 72))
    assert number_plan(other).fingerprint != number_plan(twice).fingerprint
    assert number_plan(other).ids == (41, 42, 43)


def test_a_literals_number_is_no_id() -> None:
    text = f"{SCAN}Condition : (name#42 = Brand#12)"
    assert number_plan(text).ids == (41, 42)
    assert number_plan(text).fingerprint != number_plan(text.replace("Brand#12", "Brand#13")).fingerprint


@pytest.mark.parametrize(
    "expression",
    [
        "(name#7 / scalar-subquery#77 [])",
        "(name#7 IN dynamicpruning#77)",
        "NOT id#7 IN (list#77 [])",
        "exists#77 [id#7]",
        "lateral-subquery#77 [id#7]",
        "grouping_id()#77L AS level#7L",
        "label(name#7, id#8)#77 AS label#9]",
        "(c0#77L > 1)",
        "name#77 AS full_name#9]",
        "(id#77 > 1)",
    ],
)
def test_an_id_that_no_list_prints_is_an_id_by_what_stands_beside_it(expression: str) -> None:
    later = re.sub(r"#(\d+)", lambda match: f"#{int(match[1]) + 1000}", expression)
    assert number_plan(SCAN + expression).fingerprint == number_plan(SCAN + later).fingerprint


@pytest.mark.parametrize(("hidden", "is_id"), [(14, False), (15, True)])
def test_an_id_that_a_truncated_list_hides_is_an_id(hidden: int, is_id: bool) -> None:
    text = f"DeleteCommand (length(dt#22) > 1)\n+- Relation t[k#5L,c1#6,c2#7,... {hidden} more fields] parquet"
    assert (22 in number_plan(text).ids) is is_id


def test_a_text_with_zero_characters_has_its_ids_all_the_same() -> None:
    assert number_plan(f"{SCAN}\0, \0#7, [id#41L]").ids == (41, 42, 7)


def test_another_order_of_ids_is_another_plan() -> None:
    swapped = SCAN.replace("id#41L", "id#42L").replace("name#42", "name#41")
    assert number_plan(SCAN + "[id#41L]").fingerprint == number_plan(swapped + "[id#42L]").fingerprint
    assert number_plan(SCAN + "[id#41L]").fingerprint != number_plan(swapped + "[id#41L]").fingerprint


@pytest.mark.parametrize(
    ("tonight", "yesterday"),
    [
        ("DeltaCatalog@db6c021, db.t", "DeltaCatalog@1f36a, db.t"),
        ("Lambda$2861/0x00007f8538f49b10", "Lambda$99/0xabc"),
        ("Lambda/0x00007f8538f49b10", "Lambda/0xabc"),
        ("MapPartitionsRDD[12] at map", "MapPartitionsRDD[3] at map"),
        ("SinglePartition, [plan_id=99]", "SinglePartition, [plan_id=3]"),
        ("(day#1 = 2026-11-20)", "(day#1 = 2026-11-19)"),
        ("(at#1 > 2026-11-20 04:00:00.123)", "(at#1 > 2026-11-19 03:00:00)"),
        ("file:/data/day=20261120/x", "file:/data/day=20261119/x"),
        ("(batch#1 = run_20261120)", "(batch#1 = run_20261119)"),
        ("rand(42)", "rand(-7)"),
        ("randn(42)", "randn(-7)"),
        ("uuid(Some(42))", "uuid(Some(-7))"),
        (
            "part-00000-0a1b2c3d-0000-0000-0000-000000000000.parquet",
            "part-00017-ffffffff-0000-0000-0000-00000000000f.parquet",
        ),
        ("ShuffleQueryStage (6), Statistics(sizeInBytes=64.0 B)", "ShuffleQueryStage (6), Statistics(sizeInBytes=1 B)"),
    ],
)
def test_what_varies_every_night_makes_no_other_plan(tonight: str, yesterday: str) -> None:
    assert number_plan(SCAN + tonight).fingerprint == number_plan(SCAN + yesterday).fingerprint


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a#1 = 1)", "(a#1 = 2)"),
        ("file:/data/a", "file:/data/b"),
        ("file:/data/20261120/x", "file:/data/20261119/x"),
        ("[file:/data/orders/2026-11-20, file:/a]", "[file:/data/orders/2026-11-19, file:/a]"),
        ("s3a://lake/orders/2026-11-20T04:00:00", "s3a://lake/orders/2026-11-20T05:00:00"),
        ("file:/data/run-11-20/x", "file:/data/run-11-19/x"),
        ("file:/data/orders-2026-11-20.csv", "file:/data/orders-2026-11-19.csv"),
        ("Scan parquet spark_catalog.db.orders_20261120", "Scan parquet spark_catalog.db.orders_20261119"),
        ("(a#1 = 19991)", "(a#1 = 19992)"),
        ("me@example", "you@example"),
        ("", " "),
    ],
)
def test_what_the_user_wrote_makes_another_plan(one: str, other: str) -> None:
    assert number_plan(SCAN + one).fingerprint != number_plan(SCAN + other).fingerprint


@given(st.text())
def test_any_text_has_a_fingerprint(text: str) -> None:
    numbered = number_plan(text)
    assert re.fullmatch(r"[0-9a-f]{32}", numbered.fingerprint)
    assert len(set(numbered.ids)) == len(numbered.ids)
    assert PlanText(text).summary.fingerprint == (numbered.fingerprint if text.strip() else "")


def test_ids_beyond_all_bounds_are_none() -> None:
    assert number_plan(f"[a#{'9' * 5000}, b#7]").ids == (7,)
    assert PlanText(f"[a#{'9' * 18}, b#7]").summary.ids == (int("9" * 18), 7)


@pytest.mark.parametrize(
    ("tree", "command"),
    [
        ("Project (1)", ""),
        ("Execute InsertIntoHadoopFsRelationCommand (7)\n+- Project (1)", "InsertIntoHadoopFsRelationCommand"),
        (
            "AdaptiveSparkPlan (9)\n+- == Initial Plan ==\n   Execute InsertIntoHiveTable (7)\n   +- Project (1)",
            "InsertIntoHiveTable",
        ),
        ("AtomicReplaceTableAsSelect (2)\n+- Project (1)", "AtomicReplaceTableAsSelect"),
        ("AppendData spark_catalog.db.t (2)", "AppendData"),
        ("CommandResult (1)\n   +- Execute CreateViewCommand (2)", "CommandResult"),
        ("* Project (1)", ""),
        ("* AppendData (1)", "AppendData"),
    ],
)
def test_the_roots_command_is_told_at_a_glance(tree: str, command: str) -> None:
    assert PlanText(f"== Physical Plan ==\n{tree}\n\n\n(1) Project\n").summary.command == command


def test_attributes_of_rows_that_the_driver_made_are_open() -> None:
    rows = "\n(1) Scan ExistingRDD\nOutput [2]: [id#5L, name#6]\nArguments: [id#5L, name#6], MapPartitionsRDD[4]\n"
    head = PlanText(f"== Physical Plan ==\nScan ExistingRDD (1)\n\n{rows}").summary
    assert head.unbound == head.requested == frozenset({5, 6})


def test_literal_rows_are_not_open_but_emptied_relations_are() -> None:
    table = "\n(1) LocalTableScan\nOutput [1]: [id#5]\nArguments: {}[id#5]\n"
    head = PlanText("== Physical Plan ==\nLocalTableScan (1)\n\n" + table.format("")).summary
    assert head.unbound == frozenset()
    head = PlanText("== Physical Plan ==\nLocalTableScan (1)\n\n" + table.format("<empty>, ")).summary
    assert head.unbound == frozenset({5})


def test_a_views_relation_without_a_table_is_wanted() -> None:
    relation = "\n(1) LogicalRelation\nArguments: parquet, [id#5L, name#6], false\n"
    view = f"== Physical Plan ==\nExecute CreateViewCommand (2)\n   +- LogicalRelation (1)\n\n{relation}"
    assert PlanText(view).summary.requested == frozenset({5, 6})
    query = f"== Physical Plan ==\nProject (2)\n   +- LogicalRelation (1)\n\n{relation}"
    assert (PlanText(query).summary.unbound, PlanText(query).summary.requested) == (frozenset({5, 6}), frozenset())


@given(
    st.builds(
        PlanSummary,
        st.text("0123456789abcdef", min_size=32, max_size=32),
        names.map(lambda name: re.sub(r"\W", "", name)),
        st.lists(st.integers(0, 10**18 - 1), unique=True).map(tuple),
        st.frozensets(st.integers(0, 10**18 - 1)),
        st.frozensets(st.integers(0, 10**18 - 1)),
    )
)
def test_summaries_travel_as_text(summary: PlanSummary) -> None:
    assert unpack_summary(pack_summary(summary)) == summary


@given(plans(literals=literals), st.integers(1, 10**6))
def test_a_plan_that_is_printed_again_has_the_head_that_its_own_text_has(plan: Composed, offset: int) -> None:
    text = formatted(plan)
    moved = re.sub(r"#(\d+)", lambda match: f"#{int(match[1]) + 1000 + offset}", text)
    known = SummaryCache(str)
    assert [known.read(PlanText(each)) for each in (text, moved, text)] == [
        PlanText(each).summary for each in (text, moved, text)
    ]


def test_what_a_plan_does_not_have_takes_no_memory_when_it_is_printed_again() -> None:
    known = SummaryCache(str)
    _, second, third = (known.read(PlanText(SCAN.replace("41", str(number)))) for number in (1, 2, 3))
    assert second.ids != third.ids
    assert second.unbound is third.unbound
    assert second.requested is third.requested


def test_a_text_without_a_physical_plan_has_no_facts_when_it_is_printed_again_either() -> None:
    parsed = PlanText("== Parsed Logical Plan ==\n'Project ['id]\n+- 'UnresolvedRelation [orders], [], false\n")
    known = SummaryCache(str)
    assert [known.read(parsed), known.read(parsed)] == [parsed.summary] * 2


def test_of_a_plan_that_is_printed_again_the_snapshots_are_its_own() -> None:
    scan = "== Physical Plan ==\n(1)\n\n\n(1) Scan\nLocation: TahoeBatchFileIndex [Delta[version={}, s3://b/t]]"
    known = SummaryCache(str)
    marks = [known.read(PlanText(scan.format(version))).facts for version in (4, 5)]
    assert [mark.version for (mark,) in marks] == ["4", "5"]


def test_a_text_with_secrets_is_never_taken_for_one_that_was_seen() -> None:
    known = SummaryCache(PLAIN.text)
    text = SCAN + "PushedFilters: [password={}]"
    summaries = [known.read(PlanText(text.format(secret))).fingerprint for secret in ("hunter2", "swordfish")]
    assert summaries == [number_plan(text.format("***")).fingerprint] * 2
