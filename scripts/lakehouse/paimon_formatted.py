"""Paimon with formatted text: `python -m lakehouse.paimon_formatted NAME ROOT PACKAGES`; what that text hides."""

from __future__ import annotations

from lakehouse import common, paimon_extended, paimon_writers


def main() -> None:
    """Runs all statements."""
    shop, root = common.opened(paimon_writers.NS, "paimon", paimon_writers.settings)
    paimon_extended.dynamic_buckets(shop)
    paimon_extended.streams(shop, root)
    shop.spark.stop()


if __name__ == "__main__":
    main()
