"""The texts that a statement is traced from: each plan is kept once, whatever run it is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eventlog_lineage.plan.summary.fingerprint import renumbered


def texts_of(
    fingerprints: Sequence[str], texts: Mapping[str, str], numbers: Sequence[Sequence[int]]
) -> tuple[str, ...]:
    """A statement's texts: of each plan that of some run, read with the ids that the statement's own plans share.

    Args:
        fingerprints: The plans.
        texts: Fingerprint to text.
        numbers: `StatementGroup.numbers`.
    """
    found = [texts.get(fingerprint, "") for fingerprint in fingerprints]
    return (*map(renumbered, found, numbers), *found[len(numbers) :])
