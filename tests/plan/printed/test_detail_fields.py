"""Detail blocks are read field by field, whatever the values hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.plan.grammar.symbols import Field
from eventlog_lineage.plan.plan_text import read_plan
from eventlog_lineage.plan.printed.formatted import DESCRIPTION, FieldReader, lists_end
from support.plans.strategies import literals


def read_fields(block: str) -> dict[str, Field]:
    return FieldReader().read(block, 0, len(block))


def texts(block: str) -> dict[str, str]:
    """Labels and texts."""
    return {label: field.text for label, field in read_fields(block).items()}


def test_lists_have_counts_and_items() -> None:
    fields = read_fields("Output [2]: [id#1L, (id#1L + 1) AS next#2L]\nInput [1]: [id#1L]\n")
    assert fields["Output"].items == ("id#1L", "(id#1L + 1) AS next#2L")
    assert (fields["Input"].count, fields["Input"].text) == (1, "id#1L")


def test_empty_lists_have_no_count_in_print() -> None:
    fields = read_fields("Input: []\nKeys: []\nArguments: SinglePartition")
    assert (fields["Keys"].count, fields["Keys"].items) == (0, ())
    assert fields["Arguments"].text == "SinglePartition"


def test_a_condition_has_a_space_before_its_colon() -> None:
    assert texts("Input [1]: [a#1]\nCondition : (a#1 > 2)") == {"Input": "a#1", "Condition": "(a#1 > 2)"}


def test_a_connectors_description_has_no_label() -> None:
    block = "Output [1]: [id#1]\nlocal.db.t (branch=null) [filters=id = 1, groupedBy=]\nsecond line"
    assert texts(block)[DESCRIPTION] == "local.db.t (branch=null) [filters=id = 1, groupedBy=]\nsecond line"


def test_arguments_go_on_to_the_end_of_the_block() -> None:
    """Up to 3.3 commands print `CatalogTable(` over many lines that look like fields."""
    arguments = "file:/w/t, Parquet, Append, CatalogTable(\nDatabase: db\nTable: t\nSchema: root\n -- id: long\n), [id]"
    assert texts(f"Input [1]: [id#1L]\nArguments: {arguments}\n") == {"Input": "id#1L", "Arguments": arguments}


def test_filters_go_on_while_their_brackets_are_open() -> None:
    block = "Output [1]: [s#1]\nPushedFilters: [EqualTo(s,a\n\n(7) Project)]\nReadSchema: struct<s:string>"
    assert texts(block) == {
        "Output": "s#1",
        "PushedFilters": "[EqualTo(s,a\n\n(7) Project)]",
        "ReadSchema": "struct<s:string>",
    }


def test_filters_whose_brackets_never_close_end_before_the_schema() -> None:
    block = "PushedFilters: [EqualTo(s,(), IsNotNull(x\n)]\nReadSchema: struct<s:string>"
    assert texts(block)["ReadSchema"] == "struct<s:string>"


def test_a_list_ends_where_its_items_are_as_many_as_it_says() -> None:
    block = "Output [2]: [concat(a#1, [x]\nInput [1]: [a#1]\n) AS b#2, c#3]\nInput [2]: [a#1, c#3]"
    assert read_fields(block)["Output"].items == ("concat(a#1, [x]\nInput [1]: [a#1]\n) AS b#2", "c#3")
    assert read_fields(block)["Input"].items == ("a#1", "c#3")


def test_a_list_that_never_ends_is_kept() -> None:
    assert texts("Output [3]: [a#1, b#2") == {"Output": "a#1, b#2"}


def test_the_first_of_two_fields_of_one_label_counts() -> None:
    assert texts("Location: a\nBatched: true\nLocation: b") == {"Location": "a", "Batched": "true"}


def test_functions_and_join_keys_name_nothing() -> None:
    fields = read_fields("Keys: []\nFunctions [2]: [sum(a#1), max(concat(b#2, ())]\nLeft keys [2]: [f(a#1, 2), b#2]")
    assert fields["Functions"].items == ("sum(a#1)", "max(concat(b#2, ())")
    assert fields["Left keys"].items == ("f(a#1, 2)", "b#2")


@given(literals)
def test_a_condition_may_hold_anything(literal: str) -> None:
    block = f"Input [2]: [a#1, b#2]\nCondition : (a#1 = {literal})"
    assert texts(block) == {"Input": "a#1, b#2", "Condition": f"(a#1 = {literal})"}


@given(st.one_of(literals, st.text()))
def test_any_text_is_read(block: str) -> None:
    read_fields(block)
    assert 0 <= lists_end(block, 0) <= len(block)


def test_lists_end_where_free_text_begins() -> None:
    text = "(3) Filter\nInput [1]: [a#1]\nKeys: []\nCondition : (a#1 = 1)"
    assert text[lists_end(text, 4) :] == "\nCondition : (a#1 = 1)"
    assert lists_end("Union", 0) == len("Union")


def test_an_alias_of_an_alias_is_structure_and_no_literal() -> None:
    item = "cast(2#8 as bigint) AS count(id#9L)#11L AS count(id)#12L"
    text = (
        "== Physical Plan ==\n* Project (2)\n+- * Scan parquet (1)\n\n\n(1) Scan parquet\nOutput [2]: [k#7L, 2#8]\n\n"
        f"(2) Project\nOutput [2]: [k#7L, {item}]\nInput [2]: [k#7L, 2#8]\n"
    )
    root = read_plan(text).root
    assert root is not None
    assert root.items("Output") == ("k#7L", item)
    (value,) = (edge for edge in trace_texts(text).edges if edge.target_column == "count(id)")
    assert "#" not in value.expression
