"""Puts what the README's commands print into the README: `python scripts/make_readme.py`, then read the diff."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.docs.readme import README, run, settled, shown_commands


def main() -> None:
    """Runs the commands in order, the demo first; outputs that differ in seconds only stay as they are."""
    text = README.read_text()
    answers = [(shown, run(shown.command, text)) for shown in shown_commands(text)]
    for shown, output in reversed(answers):
        if settled(output) != settled(shown.output):
            text = text[: shown.place[0]] + output + text[shown.place[1] :]
    README.write_text(text)


if __name__ == "__main__":
    main()
