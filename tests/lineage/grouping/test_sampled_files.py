"""Paths of CSV files that a save reads, from the query that read their header."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import ExecutionSummary
from eventlog_lineage.lineage.grouping.plan_links import sampled_files, sampled_of
from eventlog_lineage.plan.plan_text import PlanText

SAMPLE = """== Physical Plan ==
CollectLimit (3)
+- * Filter (2)
   +- Scan text  (1)


(1) Scan text{space}
Output [1]: [value#61]
Batched: false
Location: InMemoryFileIndex {files}
ReadSchema: struct<value:string>

(2) Filter [codegen id : 1]
Input [1]: [value#61]
Condition : {condition}

(3) CollectLimit
Input [1]: [value#61]
Arguments: 1
"""
SAVE = """== Physical Plan ==
Execute SaveIntoDataSourceCommand (1)
   +- SaveIntoDataSourceCommand (2)
         +- Project (4)
            +- LogicalRelation (3)


(1) Execute SaveIntoDataSourceCommand
Output: []

(2) SaveIntoDataSourceCommand
Arguments: org.apache.hudi.BaseDefaultSource@456ae197, [hoodie.table.name=customers, path=/lake/customers], Overwrite

(3) LogicalRelation
Arguments: csv, [id#{first}, name#{second}], false

(4) Project
Arguments: [cast(id#{first} as bigint) AS id#99L, name#{second}]
"""
NOT_EMPTY = "(length(trim(value#61, None)) > 0)"


def execution(number: int, text: str) -> ExecutionSummary:
    return ExecutionSummary(number, number, "load", 0, 1, PlanText(text).summary)


def sampled(condition: str = NOT_EMPTY, files: str = "[file:/landing/customers/n1.csv]") -> dict[int, str]:
    return sampled_files([execution(1, SAMPLE.format(space=" ", condition=condition, files=files))])


def test_the_relation_that_is_created_next_is_of_the_sampled_files() -> None:
    known = sampled()
    assert known == {78: "file:///landing/customers/n1.csv"}
    save = execution(2, SAVE.format(first=78, second=79))
    ((index, path),) = sampled_of(save, known)
    assert (save.summary.ids[index], path) == (78, "file:///landing/customers/n1.csv")


def test_a_relation_that_is_created_later_has_an_unknown_path() -> None:
    assert sampled_of(execution(2, SAVE.format(first=81, second=82)), sampled()) == ()


@pytest.mark.parametrize(
    ("files", "path"),
    [
        ("[file:/landing/customers/n2.csv, ... 1 entries]", "file:///landing/customers"),
        ("[file:/lake/customers/part-00000-c1.csv, ... 7 entries]", "file:///lake/customers"),
    ],
    ids=["landing files", "data files"],
)
def test_several_files_are_their_folder(files: str, path: str) -> None:
    assert sampled(files=files) == {78: path}


def test_a_file_with_a_name_of_its_own_may_be_read_alone_or_with_its_folder() -> None:
    assert sampled(files="[file:/landing/customers.csv]") == {}


def test_other_reads_of_text_are_no_sample() -> None:
    assert sampled("(value#61 = x)") == {}


def test_the_files_of_several_folders_are_no_relation_of_one() -> None:
    assert sampled(files="[file:/lake/a/part-00000-c1.csv, file:/lake/b/part-00000-c2.csv]") == {}
    landing = "[file:/landing/customers/n1.csv, file:/landing/customers/n2.csv]"
    assert sampled(files=landing) == {78: "file:///landing/customers"}
