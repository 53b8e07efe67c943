"""The files that arrive before the night begins, written without Spark so that they leave no trace in a log."""

from __future__ import annotations

import csv
import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from sample_warehouse.statements import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

_LANDING = Path(ROOT) / "landing"

_ORDER_DAYS = ("2026-10-28", "2026-10-31", "2026-11-14", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20")
_STATUSES = ("PAID", " paid", "Open", "paid ", "cancelled")
_COUPONS = ("", "WELCOME", "", "", "BLACKFRIDAY")
_TAGS = ("gift;express", "express", "", "gift", "pickup;gift")

_PRODUCTS: tuple[tuple[int, str, str, str, str], ...] = (
    (1, "Kettle", "kitchen", "39.90", "2025-03-01"),
    (2, "Teapot", "kitchen", "24.50", "2025-03-01"),
    (3, "Desk lamp", "office", "59.00", "2025-09-15"),
    (4, "Notebook", "office", "4.20", "2024-01-10"),
    (5, "Garden hose", "garden", "31.00", "2026-04-20"),
    (6, "Bird house", "garden", "18.75", "2026-11-01"),
)


def write_landing() -> None:
    """Write the landing files of the nightly job below `ROOT`."""
    _write_csv("orders", _order_rows())
    _write_csv("returns", _return_rows())
    _write_parquet("order_lines", _line_table())
    _write_parquet("products", _product_table())
    _write_json("customers", _customer_rows(), "customers.json")


def write_clicks(files: int) -> None:
    """Write the landing files of the hourly job: `files` small JSON files, one per web server and minute."""
    for number in range(files):
        rows = [
            {
                "visitor": f"v{(number + k) % 17}",
                "page": "/product" if k else "/",
                "product_id": 1 + (number * k) % 6,
                "milliseconds": 20 + 3 * k + number % 7,
            }
            for k in range(4)
        ]
        _write_json("clicks", rows, f"clicks-{number:04}.json")


def _order_rows() -> list[list[Any]]:
    rows: list[list[Any]] = [
        ["order_id", "customer_id", "ordered_at", "status", "amount", "discount", "coupon", "tags"]
    ]
    for k in range(28):
        amount = Decimal(1500 + 731 * (k % 9)) / 100
        discount = "" if k % 3 else str(Decimal(100 + 25 * k) / 100)
        moment = f"{_ORDER_DAYS[k % 7]} {8 + k % 12:02}:{(7 * k) % 60:02}:00"
        rows.append(
            [1001 + k, 1 + k % 6, moment, _STATUSES[k % 5], str(amount), discount, _COUPONS[k % 5], _TAGS[k % 5]]
        )
    rows.append(["", 3, "2026-11-20 23:59:00", "open", "1.00", "", "", ""])
    return rows


def _return_rows() -> list[list[Any]]:
    return [
        ["order_id", "returned_on", "reason", "refund"],
        [1003, "2026-11-18", "damaged", "12.50"],
        [1006, "2026-11-19", "too late", "20.00"],
        [1010, "2026-11-19", "damaged", "7.25"],
        [1012, "2026-11-20", "wrong size", "0.00"],
    ]


def _customer_rows() -> list[dict[str, Any]]:
    people = ("Ada", "Berta", "Carl", "Dora", "Emil", "Frida", "Gustav")
    places = (("Oslo", "NO"), ("Bergen", "NO"), ("Malmo", "SE"), ("Lund", "SE"), ("Aarhus", "DK"), ("Oslo", "NO"))
    rows = []
    for k in range(9):  # customers 1 and 2 arrive twice: the later record wins
        number = k % 7
        city, country = places[number % 6]
        rows.append(
            {
                "customer_id": number + 1,
                "name": people[number],
                "email": f"{people[number].lower()}@example.org",
                "addr": {"street": f"Street {number}", "city": city, "zip": f"{1000 + number}", "country": country},
                "phones": [
                    {"kind": "mobile", "number": f"+47 9{number}"},
                    {"kind": "fax" if number % 2 else "home", "number": f"+47 2{number}"},
                ],
                "referrer_id": number if number else None,
                "updated_at": f"2026-11-{10 + k // 7:02}T06:00:00Z",
            }
        )
    return rows


def _line_table() -> pa.Table:
    money = pa.decimal128(10, 2)
    orders = [1001 + k // 2 for k in range(56)]
    return pa.table(
        {
            "order_id": pa.array(orders, pa.int64()),
            "line_no": pa.array([1 + k % 2 for k in range(56)], pa.int32()),
            "product_id": pa.array([1 + (k * k) % 5 for k in range(56)], pa.int64()),
            "quantity": pa.array([k % 4 for k in range(56)], pa.int32()),
            "unit_price": pa.array([Decimal(350 + 411 * (k % 13)) / 100 for k in range(56)], money),
        }
    )


def _product_table() -> pa.Table:
    return pa.table(
        {
            "product_id": pa.array([row[0] for row in _PRODUCTS], pa.int64()),
            "title": pa.array([row[1] for row in _PRODUCTS], pa.string()),
            "category": pa.array([row[2] for row in _PRODUCTS], pa.string()),
            "list_price": pa.array([Decimal(row[3]) for row in _PRODUCTS], pa.decimal128(10, 2)),
            "launched": pa.array([date.fromisoformat(row[4]) for row in _PRODUCTS], pa.date32()),
        }
    )


def _write_csv(name: str, rows: Sequence[Sequence[Any]]) -> None:
    folder = _LANDING / name
    folder.mkdir(parents=True)
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def _write_json(name: str, rows: Sequence[dict[str, Any]], file_name: str) -> None:
    folder = _LANDING / name
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row) for row in rows]
    (folder / file_name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_parquet(name: str, table: pa.Table) -> None:
    folder = _LANDING / name
    folder.mkdir(parents=True)
    pq.write_table(table, folder / f"{name}.parquet")
