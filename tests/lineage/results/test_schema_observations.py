"""What real statements show of schemas."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.model import SchemaSign

TESTS = Path(__file__).resolve().parents[2]


@cache
def signs(log: str) -> tuple[tuple[str, SchemaSign], ...]:
    (found,) = find_logs([str(TESTS / log)])
    return tuple((each.root.description, sign) for each in trace_log(read_log(found)) for sign in each.lineage.signs)


def shown(log: str, description: str, evidence: str) -> list[str]:
    """What a statement shows, a line each: extent, columns with types, words."""
    return [
        " ".join(
            (str(sign.extent), *(f"{each.name}:{each.data_type}".rstrip(":") for each in sign.columns), *sign.words)
        )
        for words, sign in signs(log)
        if words == description and sign.evidence == evidence
    ]


NIGHT = "night_logs/logs/night-{}.zstd"


def test_v1_ddl_prints_no_columns_when_it_creates_and_all_of_them_when_it_adds() -> None:
    assert shown(NIGHT.format("01"), "create orders", "create") == ["none"]
    assert shown(NIGHT.format("03"), "alter orders", "alter") == ["added discount:double"]


def test_v2_ddl_prints_columns_when_it_creates_and_codes_when_it_alters() -> None:
    struct = "addr:struct<city:string,zip:string>"
    assert shown(NIGHT.format("01"), "create customers", "create") == [
        f"all id:bigint name:string email:string points:int {struct}"
    ]
    assert shown(NIGHT.format("05"), "alter customers", "alter")[0] == "codes RenameColumn@e5357390"
    assert len(shown(NIGHT.format("05"), "alter customers", "alter")) == 5


def test_an_insert_names_all_columns_of_its_table_with_the_types_that_its_plan_knows() -> None:
    assert shown(NIGHT.format("01"), "stage orders", "overwrite") == ["all order_id:bigint customer amount:double"]
    assert shown(NIGHT.format("01"), "note orders", "append") == ["all order_id:bigint note"]


def test_a_read_shows_what_it_reads_with_types() -> None:
    columns = "some order_id:bigint customer:string amount:double items:int"
    assert shown(NIGHT.format("01"), "stage orders", "read") == [columns]


def test_a_table_that_is_renamed_or_dropped_says_so() -> None:
    renamed = shown(NIGHT.format("09"), "rename daily", "rename")
    assert renamed == ["renamed spark_catalog.shop.sales_by_day"]
    assert shown(NIGHT.format("11"), "drop spare", "drop") == ["dropped"]


def test_a_repeated_print_of_a_command_shows_nothing() -> None:
    assert len(shown("lakehouse_logs/iceberg-3-5.zstd", "alter: rename", "alter")) == 1


def test_columns_that_a_connector_adds_are_no_columns_of_the_table() -> None:
    names = {each.name for _, sign in signs("lakehouse_logs/delta-3-5.zstd") for each in sign.columns}
    assert not {name for name in names if name.startswith(("_", "file_"))}


def test_a_temporary_views_name_may_be_another_applications_too() -> None:
    names = {sign.dataset for _, sign in signs("sample_logs/nightly-sales-3-5.zstd")}
    assert "returns_feed" not in names
    assert "spark_catalog.sales.paid_orders" in names
