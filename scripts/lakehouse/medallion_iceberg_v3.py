"""Iceberg's format version 3: `python -m lakehouse.medallion_iceberg_v3 NAME ROOT PACKAGES`.

Row lineage, deletion vectors and VARIANT, in tables that mark rows (`t`) and that copy files (`c`).
"""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse.medallion import Night
from lakehouse.session import session

_KEY = "spark.sql.catalog.ice"
_MARKED = ", ".join(f"'write.{each}.mode' = 'merge-on-read'" for each in ("merge", "update", "delete"))


def main() -> None:
    """Run all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    settings = {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        _KEY: "org.apache.iceberg.spark.SparkCatalog",
        f"{_KEY}.type": "hadoop",
        f"{_KEY}.warehouse": f"file://{root}/ice",
    }
    spark = session(name, root, packages, settings)
    spark.sql("CREATE NAMESPACE ice.s")
    Night(spark, root, "ice", root / "snapshots.jsonl").sql(
        (
            "create",
            "CREATE TABLE ice.s.t (id BIGINT, cust BIGINT, v VARIANT, note STRING) USING iceberg"
            f" TBLPROPERTIES ('format-version' = '3', {_MARKED})",
        ),
        (
            "create copy",
            "CREATE TABLE ice.s.c (id BIGINT, cust BIGINT, note STRING) USING iceberg TBLPROPERTIES ('format-version' = '3')",
        ),
        ("insert", "INSERT INTO ice.s.t SELECT id, id % 3, parse_json(concat('{\"a\":', id, '}')), 'n' FROM range(10)"),
        ("insert copy", "INSERT INTO ice.s.c SELECT id, cust, note FROM ice.s.t"),
        ("update", "UPDATE ice.s.t SET note = concat(note, 'x') WHERE cust = 1"),
        ("delete", "DELETE FROM ice.s.t WHERE id = 4"),
        (
            "merge",
            "MERGE INTO ice.s.t t USING ice.s.c s ON t.id = s.id WHEN MATCHED AND s.cust = 2 THEN UPDATE SET note = s.note"
            " WHEN NOT MATCHED THEN INSERT (id, cust, v, note) VALUES (s.id, s.cust, NULL, s.note)",
        ),
        ("update copy", "UPDATE ice.s.c SET note = upper(note) WHERE cust = 1"),
        (
            "merge copy",
            "MERGE INTO ice.s.c t USING ice.s.t s ON t.id = s.id WHEN MATCHED THEN UPDATE SET note = concat(s.note, t.note)"
            " WHEN NOT MATCHED THEN INSERT (id, cust, note) VALUES (s.id, s.cust, s.note)",
        ),
        ("delete copy", "DELETE FROM ice.s.c WHERE id = 5"),
        ("read lineage", "SELECT id, _row_id, _last_updated_sequence_number FROM ice.s.t"),
        (
            "ctas variant",
            "CREATE TABLE ice.s.d USING iceberg AS SELECT id, variant_get(v, '$.a', 'int') AS a FROM ice.s.t",
        ),
        ("rewrite", "CALL ice.system.rewrite_data_files(table => 's.t', options => map('rewrite-all','true'))"),
        ("default col", "ALTER TABLE ice.s.c ADD COLUMN extra INT"),
    )
    spark.stop()


if __name__ == "__main__":
    main()
