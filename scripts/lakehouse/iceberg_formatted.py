"""Iceberg with formatted text: `python -m lakehouse.iceberg_formatted NAME ROOT PACKAGES`; what that text hides."""

from __future__ import annotations

from lakehouse import common, iceberg_extended, iceberg_writers


def main() -> None:
    """Runs all statements."""
    shop, _ = common.opened(iceberg_writers.NS, "iceberg", iceberg_writers.settings)
    shop.run(iceberg_extended.FROM_METADATA)
    shop.spark.stop()


if __name__ == "__main__":
    main()
