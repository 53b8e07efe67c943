"""Hudi with formatted text: `python -m lakehouse.hudi_formatted NAME ROOT PACKAGES`; what that text hides."""

from __future__ import annotations

from lakehouse import hudi_extended


def main() -> None:
    """Runs all statements."""
    shop = hudi_extended.opened("formatted")
    shop.run(hudi_extended.COMPUTED)
    shop.spark.stop()


if __name__ == "__main__":
    main()
