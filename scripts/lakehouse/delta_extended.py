"""Delta with extended text: `python -m lakehouse.delta_extended NAME ROOT PACKAGES`; answers from metadata."""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common, delta_writers
from lakehouse.session import Shop, session


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, {**delta_writers.CONF, "spark.sql.ui.explainMode": "extended"})
    spark.sql("CREATE DATABASE shop")
    shop = Shop(spark, delta_writers.NS, lambda _: None, root / "snapshots.jsonl")
    shop.run(common.first_tables("USING delta")[:4])
    shop.run(
        [
            (
                "update: from metadata",
                "UPDATE {ns}.orders SET amount = (SELECT max(amount) FROM {ns}.updates) WHERE id = 2",
            ),
            (
                "ctas: from metadata",
                "CREATE TABLE {ns}.counted USING delta AS SELECT count(*) AS n, max(id) AS last FROM {ns}.updates",
            ),
            common.MERGES[2],
        ]
    )
    delta_writers.paths(shop, str(root / "lake" / "orders"))
    delta_writers.feed(shop, root)
    spark.stop()


if __name__ == "__main__":
    main()
