"""The files that land each night, for every format's medallion: customers as CSV, orders as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

ORDERS = (
    "id BIGINT, customer_id BIGINT, amount DOUBLE, day STRING, status STRING, tags ARRAY<STRING>,"
    " attrs MAP<STRING, STRING>, addr STRUCT<city: STRING, zip: STRING>"
)


def land(root: Path, night: int) -> None:
    """Writes the files of a night, without Spark: `landing/orders/n1.json`, `landing/customers/n1.csv`."""
    first = night * 10
    orders = [
        {
            "id": first + number,
            "customer_id": number % 3 + 1,
            "amount": 10.0 * number,
            "day": f"2026-11-{night:02d}",
            "status": "new" if number % 2 else "done",
            "tags": ["a", "b"],
            "attrs": {"k": "v"},
            "addr": {"city": "Rome", "zip": "00100"},
        }
        for number in range(1, 7)
    ]
    _write(root / "landing" / "orders" / f"n{night}.json", "\n".join(map(json.dumps, orders)))
    _write(root / "landing" / "customers" / f"n{night}.csv", "id,name,city\n1,ann,Rome\n2,bob,Oslo\n3,cid,Rome\n")
    _write(root / "landing" / "customers" / f"late{night}.csv", f"id,name,city\n{night}9,zoe,Bern\n")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")


def orders_of(spark: SparkSession, root: Path, night: int) -> DataFrame:
    """The orders that landed in a night."""
    return spark.read.schema(ORDERS).json(f"{root}/landing/orders/n{night}.json")
