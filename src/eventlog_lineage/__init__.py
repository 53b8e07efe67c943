"""Table- and column-level lineage, with its history, from Spark's event logs."""

from __future__ import annotations

__version__ = "0.1.0"
