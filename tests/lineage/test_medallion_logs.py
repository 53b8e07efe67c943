"""The medallion logs of all formats: nothing false, nothing missing without a gap."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from support.lakehouse.medallions import MEDALLION_LOGS, load_medallion
from support.lakehouse.score import Score, score_log

pytestmark = pytest.mark.slow

RIGHT = {
    "delta-3-5": 142,
    "delta-4-1": 142,
    "delta_features-4-1": 35,
    "iceberg-3-5": 103,
    "iceberg_two-4-1": 101,
    "iceberg_v3-4-1": 12,
    "workload_delta-3-5": 175,
    "workload_delta-4-1": 175,
    "workload_iceberg-3-5": 165,
    "workload_iceberg_two-4-1": 163,
    "idioms_delta-4-1": 99,
    "idioms_iceberg-3-5": 97,
    "idioms_iceberg-4-1": 98,
    "idioms_paimon-3-5": 87,
    "hudi-3-5": 31,
    "paimon-3-5": 51,
    "paimon_fleet-3-5": 69,
    "hudi_fleet-3-5": 64,
    "kafka-3-5": 15,
    "kafka-4-1": 15,
    "harbour_delta-3-5": 83,
    "harbour_delta-4-1": 87,
    "harbour_iceberg-3-5": 81,
    "harbour_iceberg_two-4-1": 85,
    "harbour_hudi-3-5": 43,
    "harbour_paimon-3-5": 51,
    "parcels_iceberg_two-4-1": 84,
    "parcels_hudi-3-5": 64,
    "parcels_paimon-3-5": 65,
    "coordinated_delta-3-5": 28,
    "coordinated_delta-4-1": 28,
    "clinic_iceberg_two-4-1": 22,
    "library_delta-4-1": 5,
    "bazaar_delta_n2-4-1": 4,
    "bazaar_hudi_n1-3-5": 2,
    "bazaar_hudi_n2-3-5": 2,
    "bazaar_iceberg_two_n2-3-5": 6,
    "bazaar_iceberg_two_n2-4-1": 6,
    "bazaar_iceberg_two_n3-3-5": 5,
    "brewery_delta_n1-4-1": 37,
    "brewery_hudi_n1-3-5": 25,
    "brewery_iceberg_two_n1-4-1": 31,
    "brewery_paimon_n1-3-5": 15,
    "depot_iceberg_two-4-1": 26,
    "grid_iceberg_two-4-1": 1,
    "grid_paimon-3-5": 3,
    "sweep_delta-4-1": 3,
    "sweep_iceberg_two-3-5": 4,
    "sweep_paimon-3-5": 10,
    "rail_delta-4-1": 3,
    "rail_iceberg_two-4-1": 61,
    "rail_paimon-3-5": 12,
    "sky_delta-3-5": 33,
    "sky_hudi-3-5": 14,
    "sky_iceberg-3-5": 35,
    "sky_iceberg-4-1": 35,
    "sky_paimon-3-5": 17,
    "theatre_delta_n2-4-1": 2,
    "theatre_delta_n3-4-1": 1,
    "theatre_hudi_n1-3-5": 1,
    "theatre_hudi_n3-3-5": 1,
    "theatre_iceberg_two_n3-3-5": 6,
    "theatre_paimon_n1-3-5": 4,
    "theatre_paimon_n2-3-5": 1,
}
"""Statements of each log that are right, at least; the others have gaps."""


@cache
def scored(log: str) -> Score:
    return score_log(load_medallion(log), log)


@pytest.mark.parametrize("log", RIGHT)
def test_no_statement_is_wrong_or_incomplete_without_a_gap(log: str) -> None:
    assert [each for each in scored(log).statements if each.verdict in {"wrong", "silent"}] == []


@pytest.mark.parametrize("log", sorted(path.stem for path in MEDALLION_LOGS.glob("*.zstd")))
def test_the_truth_lists_every_write(log: str) -> None:
    assert scored(log).unlisted == ()


@pytest.mark.parametrize("log", RIGHT)
def test_statements_that_were_right_stay_right(log: str) -> None:
    assert Counter(each.verdict for each in scored(log).statements)["right"] >= RIGHT[log]


@pytest.mark.parametrize("log", RIGHT)
def test_no_schema_change_is_false(log: str) -> None:
    assert scored(log).false_changes == ()


@pytest.mark.parametrize("log", [log for log in RIGHT if log.startswith("idioms_")])
def test_the_schemas_in_the_tables_metadata_explain_every_alter(log: str) -> None:
    assert scored(log).missing_changes == ()


@pytest.mark.parametrize("night", [1, 2, 3])
def test_truncated_values_of_a_wide_merge_are_those_of_the_source_with_equal_names(night: int) -> None:
    """48 of the 50 columns are assigned from the source's columns of their names, `runs` from itself."""
    (found,) = (each for each in scored("grid_iceberg_two-4-1").statements if each.name == f"n{night}: slots merge")
    assert found.differences == (
        "missing: no column runs",
        "gap truncated_fields: values of 50 columns are truncated: meter_id to runs",
    )


def test_the_rows_of_a_change_feed_are_no_columns_of_the_table() -> None:
    found = {each.name: each.differences for each in scored("sweep_delta-4-1").statements}
    assert found["dv: update literal 30"] == ("gap truncated_fields: 5 of 30 values of an update are truncated",)
    assert found["dv: update one 30"] == (
        "missing: no column c28",
        "gap truncated_fields: 5 of 30 values of an update are truncated",
    )
