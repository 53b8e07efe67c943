"""A query over all columns of a Hudi table has the table's columns."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.results.lineage_names import render_lineage
from eventlog_lineage.lineage.trace_statement import trace_texts

OWN = (
    "_hoodie_commit_time",
    "_hoodie_commit_seqno",
    "_hoodie_record_key",
    "_hoodie_partition_path",
    "_hoodie_file_name",
)
SCAN = """== Physical Plan ==
Scan HudiFileGroup spark_catalog.core.t (1)


(1) Scan HudiFileGroup spark_catalog.core.t
Output [{count}]: [{columns}]
Location: HoodieFileIndex [file:/wh/core.db/t]
ReadSchema: struct<id:bigint>

"""


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        ((*OWN, "id", "name"), ["id", "name"]),
        (("n", *OWN, "id", *OWN, "name"), ["n", "id", "name"]),
        (("_hoodie_commit_time", "id"), ["_hoodie_commit_time", "id"]),
        ((*OWN[:4], "id"), [*OWN[:4], "id"]),
    ],
)
def test_columns_of_a_star_are_those_of_the_table(names: tuple[str, ...], columns: list[str]) -> None:
    listed = ", ".join(f"{name}#{number}" for number, name in enumerate(names))
    text = render_lineage(trace_texts(SCAN.format(count=len(names), columns=listed)))
    assert [line.split()[0] for line in text.splitlines()[1:]] == columns
