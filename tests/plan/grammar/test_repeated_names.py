"""Names of attributes, by all places that print them."""

from __future__ import annotations

import pytest

from eventlog_lineage.plan.grammar.name_evidence import repeated_names, scanned_columns, unused_aliases

SCAN = "FileScan parquet db.t[x#1, y#2#3,p[q#4,w#3#5,AS d#4#10] Batched: true"


def test_a_scan_separates_columns_by_commas_without_a_space() -> None:
    text = f"Project [w#3#5, p[q#4, AS d#4#10]\n+- Filter isnotnull(x#1, y#2#3)\n   +- {SCAN}"
    assert {"x#1, y#2#3", "p[q#4", "w#3#5", "AS d#4#10"} <= set(repeated_names(text))


def test_an_alias_is_a_name_of_which_other_places_show_the_start() -> None:
    text = "Sort [x AS y#9 ASC NULLS FIRST]\n+- Project [k#1, upper(s#2) AS x AS y#9]\n"
    assert "x AS y#9" in repeated_names(text)


def test_the_expression_of_a_distinct_aggregate_is_a_name() -> None:
    name = "CASE WHEN contains(`c)`, '^(') THEN 1 ELSE 2 END"
    text = f"HashAggregate(keys=[{name}#7, gid#8])\n+- Expand [[c#1, 1]], [k#2, {name}#7, gid#8]"
    assert f"{name}#7" in repeated_names(text)


@pytest.mark.parametrize(
    "text",
    [
        "Exchange [a#1, b#2]\n+- Project [a#1, b#2]",
        "Project [id#5 AS a#1, b#2]\n+- Sort [a#1, b#2]\n   +- Project [a#1]",
        "Project [upper(c#3) AS b#2]\n+- Project [upper(c#3) AS b#2]",
    ],
)
def test_attributes_next_to_each_other_are_two_names(text: str) -> None:
    assert not [name for name in repeated_names(text) if ", " in name or " AS " in name]


def test_an_attribute_that_is_printed_once_has_no_certain_name() -> None:
    assert repeated_names("Project [a#1, b#2]") == []


def test_the_beginning_of_an_expression_that_is_a_name_is_no_name() -> None:
    key = "concat(flag#1, concat(cast(w#2 as string), -))"
    text = f"Expand [[flag#1, {key}#3, 0]], [flag#1, {key}#4, gid#5]\n+- Project [f#6 AS flag#1, upper(f#6) AS {key}#3]"
    found = repeated_names(text)
    assert not [name for name in found if name.endswith("#2")]
    assert f"{key}#3" in found


def test_a_minus_before_a_name_is_no_part_of_it() -> None:
    text = "Project [-p[q#3 AS a#4]\n+- FileScan parquet t[x#1,p[q#3]"
    assert "p[q#3" in repeated_names(text)


def test_a_literal_that_ends_like_an_attribute_is_no_name() -> None:
    text = (
        "Keys [1]: [concat(note#39, Input [2]: [a#1, b#2]) AS concat(note#39, Input [2]: [a#1, b#2])#58]\n"
        "Results [2]: [concat(note#39, Input [2]: [a#1, b#2])#58, note#39]"
    )
    assert all("note" not in name or name.endswith(("note#39", "#58")) for name in repeated_names(text))


def test_a_column_that_the_sql_of_an_expression_quotes_is_one_name() -> None:
    assert "r.`a#1L, b#2L`#74" in repeated_names("keys=[r.`a#1L, b#2L`#74, g#5]\n[g#5, r.`a#1L, b#2L`#74]")


def test_an_alias_is_unused_if_neither_an_operator_nor_the_result_has_it() -> None:
    physical = "Project [k#1, u#5]\n+- Project [concat(a#2,  AS z#9, x) AS k#1, b#3 AS u#5, b#3 AS r#6]"
    assert unused_aliases(physical, "", ["k", "r"]) == {"z#9"}
    assert unused_aliases(physical, "", []) == unused_aliases(f"Union\n{physical}", "", ["k", "r"]) == frozenset()


def test_a_name_in_the_sql_of_an_aggregate_is_no_attribute() -> None:
    name = "collect_set(concat(x#1, y#2, :()))"
    text = (
        f"Project [{name}#9 AS s#10]\n"
        f"+- Aggregate [k#4], [k#4, collect_set(concat(x#1, y#2#3, :(), 0, 0) AS {name}#9]\n"
        "   +- Filter isnotnull(x#1, y#2#3)\n      +- Relation db.t[x#1, y#2#3,k#4] parquet"
    )
    assert {f"{name}#9", "x#1, y#2#3"} <= set(repeated_names(text))


def test_attributes_that_are_also_printed_alone_are_no_name_of_an_aggregate() -> None:
    text = (
        "Project [max(concat(x#1, y#2, ())#9 AS s#10]\n+- Aggregate [max(concat(x#1, y#2, ()) AS m#9]\n"
        "   +- Project [x#1, y#2, k#4]\n      +- Relation db.t[x#1,y#2,k#4] parquet"
    )
    assert not [name for name in repeated_names(text) if "x#1, " in name]


def test_the_name_of_a_scanned_column_can_be_that_of_an_alias() -> None:
    text = (
        "Union\n:- Project [upper(k#4) AS v#8]\n+- Project [lower(k#5) AS x#1, y#2#9]\n"
        "   +- Relation db.t[x#1, y#2#3,k#5] parquet\nProject [lower(k#5) AS x#1, y#2#9]"
    )
    assert scanned_columns(text) == ["x#1, y#2#3", "x#1, y#2#9"]
    assert {"x#1, y#2#3", "x#1, y#2#9"} <= set(repeated_names(text, scanned_columns(text)))


def test_the_name_of_a_read_column_in_the_sql_of_a_key_is_no_attribute() -> None:
    name = "CASE WHEN (x#1, y#2 IN (a, b)) THEN c) ELSE x#1, y#2 END"
    text = (
        f"Output [1]: [x#1, y#2#3]\nReadSchema: struct<x#1, y#2:string,c):string>\n"
        f"Output [1]: [CASE WHEN x#1, y#2#3 IN (a,b) THEN c)#4 ELSE x#1, y#2#3 END AS {name}#9]\n"
        f"Input [1]: [{name}#9]\nKeys [2]: [k#5, {name}#9]"
    )
    found = repeated_names(text, scanned_columns(text))
    assert f"{name}#9" in found
    assert not {"x#1", "y#2"} & set(found)


def test_the_ids_of_the_columns_of_a_table_show_where_their_names_end() -> None:
    relation = "Arguments: parquet, [x#1, y#2#30, c)#31, k#32], `spark_catalog`.`db`.`t`, false"
    assert scanned_columns(f"{relation}\nArguments: [c)#31, x#1, y#2#30]") == ["c)#31", "x#1, y#2#30"]
    assert scanned_columns(f"{relation}\nKeys [1]: [upper(c)#9]") == ["c)#31", "x#1, y#2#30"]
    assert scanned_columns(f"{relation}\nArguments: [x#1, c)#31]") == ["c)#31"]
