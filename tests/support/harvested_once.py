"""Importing this harvests a night: the first harvest of a process takes three times as long as the next ones."""

from __future__ import annotations

import tempfile
from pathlib import Path

from support.harvesting import small_night

with tempfile.TemporaryDirectory(prefix="harvested-once-") as _folder:
    small_night(0).harvest(Path(_folder) / "store")
