"""Makes tests/older_logs: the statements of `benchmarks/everyday/e0_older.sql` on Sparks before 3.5.

    python benchmarks/everyday_sql.py FOLDER --hive --files 'e0_*' --modes formatted 3.1=PYTHON@JAVA_11 3.4=PYTHON …
    python scripts/make_older_logs.py FOLDER…

with `--modes extended` for 2.4 and 3.0. Later folders add logs of further statements: `3.1-more.zstd`; the last four
have those of `e1_insurance.sql`, `e2_brewery.sql`, `e3_railway.sql` and `e5_hotel.sql`, also on later Sparks.
"""

from __future__ import annotations

import sys
from pathlib import Path

import zstandard

from make_dataframe_logs import publish

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "tests" / "older_logs"
SUFFIXES = ("", "-more", "-insured", "-brewed", "-railed", "-lodged")


def main() -> None:
    """Writes a log for each Spark and folder."""
    for number, folder in enumerate(map(Path, sys.argv[1:])):
        for run in sorted(folder.iterdir()):
            (log,) = (run / "logs").iterdir()
            target = LOGS / f"{run.name.partition('-')[0]}{SUFFIXES[number]}.zstd"
            publish(log, run, target)
            text = zstandard.ZstdDecompressor().decompress(target.read_bytes())
            text = text.replace(f"{ROOT}/".encode(), b"").replace(str(ROOT.anchor + ROOT.parts[1]).encode(), b"/opt")
            target.write_bytes(zstandard.ZstdCompressor(level=19).compress(text))
            print(f"{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
