"""Delta's streaming source numbers a snapshot's files in an execution of its own."""

from __future__ import annotations

from eventlog_lineage.formats.delta.commands import is_internal_query

INDEXED = """== Physical Plan ==
* Project (3)
+- * SerializeFromObject (2)
   +- Scan (1)


(1) Scan
Output [1]: [obj#6]
Arguments: obj#6: scala.Tuple2, ZippedWithIndexRDD[1723] at start at X:0

(2) SerializeFromObject [codegen id : 1]
Input [1]: [obj#6]
Arguments: [if (isnull(_1)) null else named_struct(path, x) AS _1#7, y AS _2#8L]

(3) Project [codegen id : 1]
Output [4]: [if (isnull(_1#7)) null else named_struct(path, _1#7.path) AS add#9, _2#8L AS index#10L, null AS remove#11, null AS cdc#12]
Input [2]: [_1#7, _2#8L]

"""  # noqa: E501 - as Spark prints it


def test_a_streaming_sources_numbered_files_are_deltas_own() -> None:
    assert is_internal_query(INDEXED)
    assert not is_internal_query(INDEXED.replace(" AS index#10L", " AS place#10L"))
