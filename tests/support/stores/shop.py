"""A shop: three nights of a small warehouse, as a harvest would hand them over."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from support.stores.nights import Night

LANDING = "s3://lake/landing/orders"
ORDERS, CUSTOMERS = "spark_catalog.staging.orders", "spark_catalog.staging.customers"
DAILY, LOYAL = "spark_catalog.sales.daily_sales", "spark_catalog.sales.loyal_customers"

STAGE = (
    (f"{LANDING}!order_id", "order_id", "IDENTITY", "orders.order_id"),
    (f"{LANDING}!customer_id", "customer_id", "IDENTITY", "orders.customer_id"),
    (f"{LANDING}!amount", "amount", "TRANSFORMATION", "cast(orders.amount as decimal(10,2))"),
    (f"{LANDING}!discount", "discount", "TRANSFORMATION", "coalesce(cast(orders.discount as decimal(10,2)), 0.00)"),
    (f"{LANDING}!discount", "discount", "CONDITIONAL", "coalesce(cast(orders.discount as decimal(10,2)), 0.00)"),
)

REVENUE = "sum((orders.amount - orders.discount))"

DAILY_EDGES = (
    ("", "day", "", "DATE '{day}'"),
    (f"{CUSTOMERS}!region", "region", "IDENTITY", "customers.region"),
    (f"{ORDERS}!amount", "revenue", "AGGREGATION", REVENUE),
    (f"{ORDERS}!discount", "revenue", "AGGREGATION", REVENUE),
    (f"{CUSTOMERS}!id", "", "JOIN", "(orders.customer_id = customers.id)"),
    (f"{ORDERS}!customer_id", "", "JOIN", "(orders.customer_id = customers.id)"),
    (f"{CUSTOMERS}!region", "", "GROUP_BY", "customers.region"),
)

GROSS = "sum(orders.amount)"
GROSS_EDGES = (*DAILY_EDGES[:2], (f"{ORDERS}!amount", "revenue", "AGGREGATION", GROSS), *DAILY_EDGES[4:])

LOYAL_EDGES = (
    (f"{CUSTOMERS}!email", "email_hash", "TRANSFORMATION", "sha2(customers.email, 256)"),
    (f"{DAILY}!revenue", "region_revenue", "IDENTITY", "daily_sales.revenue"),
    (f"{CUSTOMERS}!region", "", "JOIN", "(customers.region = daily_sales.region)"),
    (f"{DAILY}!region", "", "JOIN", "(customers.region = daily_sales.region)"),
)


def open_shop(store: Path) -> None:
    """Make the shop's store: harvested once in each process, and copied from then on."""
    shutil.copytree(_harvested_shop(), store, symlinks=True, dirs_exist_ok=True)


@cache
def _harvested_shop() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="shop-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    harvest_shop(folder)
    return folder


def harvest_shop(store: Path) -> None:
    """Harvest the three nights; the third one forgets the discount in a smaller type, and its last statement fails."""
    for day in range(3):
        night = Night(day)
        night.app(name=f"nightly-sales {night.start:%Y-%m-%d}")
        night.statement(STAGE, target=ORDERS, description="stage orders", execution=1)
        edges = DAILY_EDGES if day < 2 else GROSS_EDGES
        told = [(a, b, c, d.format(day=f"{night.start:%Y-%m-%d}")) for a, b, c, d in edges]
        written = night.statement(told, target=DAILY, mode="append", execution=4, literal=f"-{day}")
        revenue = "revenue:decimal(20,2)" if day < 2 else "revenue:decimal(18,2)"
        night.show(written, DAILY, "day:date", "region:string", revenue, evidence="append", literal=f"-{day}")
        loyal = night.statement(
            LOYAL_EDGES,
            target=LOYAL,
            description="loyal customers",
            execution=7,
            status="failed" if day == 2 else "succeeded",
        )
        for row in night.rows["lineage_edges"]:
            row["masking"] = row["expression"].startswith("sha2(")
        checked = night.statement((), reads=[LANDING], execution=9, description=f"check {night.start:%Y-%m-%d}")
        night.place(ORDERS, "s3://lake/warehouse/staging/orders")
        for dataset, direction, rows in ((LANDING, "read", 1000 + day), ("", "write", 1000 + day)):
            night.add(
                "io_metrics",
                app_id=f"app-{day}",
                attempt_id="",
                execution_id=1,
                dataset=dataset,
                direction=direction,
                rows=rows,
                bytes=rows * 40,
            )
        night.add(
            "lineage_gaps",
            lineage_fingerprint=checked,
            reason="truncated_fields",
            operator="Filter",
            detail="… 3 more fields",
            hint="set spark.sql.debug.maxToStringFields higher for this job",
        )
        _join(night, written, (ORDERS, "customer_id"), (CUSTOMERS, "id"))
        _join(night, loyal, (CUSTOMERS, "region"), (DAILY, "region"))
        night.log(f"s3://logs/app-{day}", app_id=f"app-{day}")
        night.harvest(store)


def _join(night: Night, shape: str, left: tuple[str, str], right: tuple[str, str]) -> None:
    names = [f"{dataset.rpartition('.')[2]}.{column}" for dataset, column in (left, right)]
    night.add(
        "lineage_joins",
        lineage_fingerprint=shape,
        left_dataset=left[0],
        left_column=left[1],
        right_dataset=right[0],
        right_column=right[1],
        operator="=",
        expression=f"({names[0]} = {names[1]})",
    )
