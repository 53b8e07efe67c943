"""How fast secrets are taken out of texts, against another revision in the same run.

    python benchmarks/redaction_speed.py [--against 3acce97] [--repeats 7] [LOG_OR_TEXT...]

Reads every text of some event logs that redaction sees (by default those of tests/), gives them to both versions in
turn, and prints nanoseconds per character, of the fastest repeat, and the ratio. Exits with 1 above `--most` (1.5).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from eventlog_lineage.redaction import without_secrets
from redaction_texts import older_redaction, texts_of


def main() -> int:
    """Print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", type=Path, metavar="LOG_OR_TEXT")
    parser.add_argument("--against", default="3acce97", metavar="REVISION")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--most", type=float, default=1.5, metavar="RATIO")
    given = parser.parse_args()
    texts = [text for _, text in texts_of(given.sources)]
    size = sum(map(len, texts))
    before, now = measured([older_redaction(given.against), without_secrets], texts, given.repeats)
    ratio = now / before
    print(f"{len(texts):,} texts, {size:,} characters")
    print(f"{given.against:>10} {before / size * 1e9:6.1f} ns per character")
    print(f"{'now':>10} {now / size * 1e9:6.1f} ns per character")
    print(f"{'ratio':>10} {ratio:6.2f}")
    return int(ratio > given.most)


def measured(versions: Sequence[Callable[[str], str]], texts: Sequence[str], repeats: int) -> list[float]:
    """Processor seconds of each version for all texts, of its fastest repeat; the versions take turns."""
    best = [float("inf")] * len(versions)
    for _ in range(repeats):
        for number, version in enumerate(versions):
            started = time.process_time()
            for text in texts:
                version(text)
            best[number] = min(best[number], time.process_time() - started)
    return best


if __name__ == "__main__":
    sys.exit(main())
