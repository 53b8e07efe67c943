"""The session catalog stores names in lower case; commands print them as the user wrote them."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

TEXT = """== Physical Plan ==
Execute {operator} (1)
   +- {operator} (2)
         +- Project (4)
            +- LogicalRelation (3)


(1) Execute {operator}
Output: []

(2) {operator}
Arguments: {arguments}

(3) LogicalRelation
Arguments: parquet, [Name#1, cap#2], `spark_catalog`.`cx`.`depots`, false

(4) Project
Arguments: [NAME#1]

"""


@pytest.mark.parametrize(
    ("operator", "arguments", "target"),
    [
        ("CreateDataSourceTableAsSelectCommand", "`spark_catalog`.`O`.`Ca3`, Overwrite, [NAME]", "spark_catalog.o.ca3"),
        ("SaveAsV1TableCommand", "`O`.`Ca4`, Overwrite, Project [NAME#1]", "spark_catalog.o.ca4"),
        ("CreateViewCommand", "`spark_catalog`.`O`.`V`, SELECT 1, false, false, PersistedView", "spark_catalog.o.v"),
        ("CreateViewCommand", "`Tv_One`, SELECT 1, false, true, LocalTempView", "tv_one"),
        ("CreateDataSourceTableAsSelectCommand", "`Ice`.`O`.`Ca3`, Overwrite, [NAME]", "Ice.O.Ca3"),
    ],
)
def test_a_written_table_of_the_session_catalog_has_the_name_that_scans_print(
    operator: str, arguments: str, target: str
) -> None:
    lineage = trace_texts(TEXT.format(operator=operator, arguments=arguments))
    assert lineage.target is not None
    assert lineage.target.name == target
