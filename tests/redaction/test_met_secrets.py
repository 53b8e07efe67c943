"""Statements and plans of a real Spark 4.3 in which a secret meets a sensitive name: nothing of it is left.

`met_secrets.zstd` has the executions of scripts/attack/planting/meetings.txt, as statements.py runs them, without
`sparkPlanInfo`.
"""

from __future__ import annotations

from pathlib import Path

import zstandard

from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs

LOG = Path(__file__).with_name("met_secrets.zstd")
SECRET = b"x7Qzx7Qzx7Qz"
WORD = "velvetmoon"
"""A secret that could be the name of a column."""
UNDECIDED = ("-- token velvetmoon", "check_it(name)#", "{bob, velvetmoon}#")
"""A comment, a function whose definition is in another execution, and a column of a combination of values in PIVOT."""


def test_no_part_of_a_secret_that_is_a_word_is_left(tmp_path: Path) -> None:
    with LOG.open("rb") as stored, zstandard.ZstdDecompressor().stream_reader(stored, read_across_frames=True) as text:
        (tmp_path / "local-1795989773317").write_bytes(text.read().replace(SECRET, WORD.encode()))
    (log,) = find_logs([str(tmp_path)])
    executions = read_log(log, ReadOptions()).executions
    assert len(executions) > 230
    left = [found for found in map(repr, executions) if WORD in found and not any(each in found for each in UNDECIDED)]
    assert not left, left[0]
