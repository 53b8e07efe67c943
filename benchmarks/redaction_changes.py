"""Every text that redaction changes in logs and plans: what should not be on the list is a false positive.

    python benchmarks/redaction_changes.py [--against 3acce97] [LOG_OR_TEXT...]

Without arguments it reads the event logs and plans of tests/. Prints a line for each place that is masked now, with
what surrounds it, and how often it occurs; `new` marks what the other revision leaves.
"""

from __future__ import annotations

import argparse
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

from eventlog_lineage.redaction import without_secrets
from redaction_texts import older_redaction, texts_of

_AROUND = 40
_LONGEST = 100


def main() -> None:
    """Print the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", type=Path, metavar="LOG_OR_TEXT")
    parser.add_argument("--against", default="3acce97", metavar="REVISION")
    given = parser.parse_args()
    older = older_redaction(given.against)
    found: Counter[tuple[bool, str]] = Counter()
    size = texts = changed = 0
    for _, text in texts_of(given.sources):
        size, texts = size + len(text), texts + 1
        after = without_secrets(text)
        if after != text:
            changed += 1
            found.update((older(text) != after, place) for place in places(text, after))
    for (is_new, place), count in sorted(found.items(), key=lambda item: (-item[0][0], -item[1])):
        print(f"{'new' if is_new else '   '} {count:6}  {place}")
    print(f"{changed} of {texts:,} texts ({size:,} characters) changed")


def places(before: str, after: str) -> list[str]:
    """What was masked in a text, with some characters around it; long texts by their lines."""
    lines = list(zip(before.split("\n"), after.split("\n"), strict=False))
    if len(lines) > 1:
        return [place for old, new in lines if old != new for place in places(old, new)]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        f"{before[max(0, i - _AROUND) : i]}[{before[i:j][:_LONGEST]}]{before[j : j + 10]}"
        for kind, i, j, _, _ in matcher.get_opcodes()
        if kind != "equal"
    ]


if __name__ == "__main__":
    main()
