"""The driver of the nightly job; `python nightly.py APP_NAME RUN_DATE [--thorough] [--conf KEY=VALUE]...`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sample_warehouse import exports, frames, marts, staging
from sample_warehouse.landing import write_landing
from sample_warehouse.session import start
from sample_warehouse.statements import Night, run_all


def main() -> None:
    """Write the landing files, run the night, stop Spark."""
    parser = argparse.ArgumentParser()
    parser.add_argument("app_name")
    parser.add_argument("run_date")
    parser.add_argument("--thorough", action="store_true")
    parser.add_argument("--conf", action="append", default=[])
    arguments = parser.parse_args()
    write_landing()
    night = Night(start(arguments.app_name, arguments.conf), arguments.run_date)
    steps = [*staging.STATEMENTS, *marts.STATEMENTS, *frames.STATEMENTS, *exports.STATEMENTS]
    run_all(night, steps, thorough=arguments.thorough)
    night.spark.stop()


if __name__ == "__main__":
    main()
