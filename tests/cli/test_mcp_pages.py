"""Answers for agents: whole rows, never more than 20,000 characters, and a count of what is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.cli.mcp_server import MOST_BYTES, Page, page, size_as_sent


def all_pages(records: list[dict[str, object]]) -> list[Page]:
    found, offset = [], 0
    while True:
        found.append(page(records, offset, {"harvest": {"age_hours": 1.0}}))
        if not found[-1]["truncated"]:
            return found
        assert found[-1]["next_offset"] > offset
        offset = found[-1]["next_offset"]


@given(st.lists(st.text(max_size=3_000), max_size=40))
def test_following_the_offsets_gives_every_row_once_and_whole(texts: list[str]) -> None:
    records: list[dict[str, object]] = [{"number": number, "size": len(text)} for number, text in enumerate(texts)]
    pages = all_pages([{**record, "text": "x" * len(text)} for record, text in zip(records, texts, strict=True)])
    assert [row["number"] for each in pages for row in each["rows"]] == list(range(len(texts)))
    assert all(len(row["text"]) == row["size"] for each in pages for row in each["rows"])
    assert {each["total"] for each in pages} == {len(texts)}


@pytest.mark.parametrize("char", ["x", chr(34), "é"])
@pytest.mark.parametrize("columns", [1, 5, 60])
def test_a_row_that_is_longer_than_an_answer_is_cut_and_says_where(columns: int, char: str) -> None:
    record: dict[str, object] = {f"column_{number}": char * 90_000 for number in range(columns)}
    answer = page([record, {"column_0": "short"}], 0, {})
    assert size_as_sent(answer) <= MOST_BYTES
    assert answer["rows"][0]["cut_columns"] == sorted(record)
    assert answer["returned"] >= 1


def test_no_answer_is_longer_than_an_agent_reads() -> None:
    records: list[dict[str, object]] = [{"name": f"column {number}", "expression": '"' * 99} for number in range(500)]
    sizes = [size_as_sent(each) for each in all_pages(records)]
    assert max(sizes) <= MOST_BYTES
    assert sum(size > MOST_BYTES - 1_500 for size in sizes) == len(sizes) - 1


def test_confidence_is_counted_over_all_rows_not_only_those_of_the_piece() -> None:
    records: list[dict[str, object]] = [{"confidence": "exact", "x": "y" * 900}] * 30 + [{"confidence": "opaque"}] * 2
    answer = page(records, 0, {})
    assert answer["truncated"]
    assert answer["confidence"] == {"exact": 30, "opaque": 2}


def test_control_and_bidi_characters_reach_an_agent_escaped() -> None:
    rows = page([{"name": "a\x1b[2Jb\u202ec"}], 0, {})["rows"]
    assert rows == [{"name": "a\\u001b[2Jb\\u202ec"}]


def test_an_offset_behind_the_last_row_is_an_empty_piece() -> None:
    answer = page([{"name": "a"}], 5, {})
    assert (answer["returned"], answer["truncated"], answer["next_offset"]) == (0, False, None)
