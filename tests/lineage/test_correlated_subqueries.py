"""Subqueries of analyzed plans: queries that the optimizer replaced by an empty relation, in extended text of 4.3.0.

The statements of `extended_text/emptied.plans`, over `orders (id, cust, qty, status)` and `cust (cid, name)`, each with
`AND 1 = 0` in its WHERE. The optimizer would make a correlated condition the condition of a join.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

TEXTS = Path(__file__).parent / "extended_text" / "emptied.plans"
JOINED = {"cid JOIN", "cust JOIN"}

STATEMENTS = {
    # EXISTS (SELECT 1 FROM cust i WHERE i.cid = o.cust)
    "ex1": JOINED,
    # … AND length(i.name) < o.qty AND i.name <> 'n1'
    "ex3": JOINED | {"name JOIN", "qty JOIN", "name FILTER"},
    # … AND o.qty > 1: a filter of the outer query
    "ex5": JOINED | {"qty FILTER"},
    # EXISTS (SELECT * FROM cust i WHERE i.cid = o.cust): its columns are no values
    "ex6": JOINED,
    # NOT EXISTS (SELECT 1 FROM cust i WHERE i.cid = o.cust AND o.qty > 1): part of the anti join
    "nex2": JOINED | {"qty JOIN"},
    # o.cust NOT IN (SELECT i.cid FROM cust i WHERE i.name = o.status AND i.cid > 0)
    "in2": JOINED | {"name JOIN", "status JOIN", "cid FILTER"},
    # (o.cust, o.status) IN (SELECT i.cid, i.name FROM cust i)
    "in4": JOINED | {"status JOIN", "name JOIN"},
    # SELECT o.id, (SELECT max(i.name) FROM cust i WHERE i.cid = o.cust AND i.name > 'a') nm … WHERE o.qty > 2
    "sc2": JOINED | {"name FILTER", "qty FILTER"},
    # WITH r AS (SELECT cid, name FROM cust WHERE name > 'c') … EXISTS (SELECT 1 FROM r WHERE r.cid = o.cust)
    "cte1": JOINED | {"name FILTER"},
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_correlated_condition_is_a_join(name: str) -> None:
    pieces = re.split(r"^##### (.+)\n", TEXTS.read_text(), flags=re.MULTILINE)
    lineage = trace_texts(dict(zip(pieces[1::2], pieces[2::2], strict=True))[name].rstrip("\n") + "\n")
    of_rows = {f"{each.source_column} {each.transformation}" for each in lineage.edges if each.target_column is None}
    assert of_rows == STATEMENTS[name]
    values = {(each.target_column, each.source_column) for each in lineage.edges if each.target_column is not None}
    assert values == ({("id", "id"), ("nm", "name")} if name == "sc2" else {("id", "id")})
    assert not lineage.gaps
