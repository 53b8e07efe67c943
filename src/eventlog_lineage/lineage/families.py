"""Which executions make one statement, and which other executions explain what they leave open."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..plan.heads import PlanHead
from .statements import Stitch
from .surroundings import Surroundings

_FARTHEST = 12
"""Executions that may explain one another in a row: a checkpoint of a checkpoint …"""


@dataclass(frozen=True, slots=True)
class Run:
    """An execution, as far as it matters for what belongs together.

    Attributes:
        execution_id: Unique in the application, growing in time.
        root: The root execution's id; None where the log does not say (before 3.4).
        description: The job description or call site.
        started_at: Epoch milliseconds; None for an End without a Start.
        ended_at: Epoch milliseconds; None without an End.
        head: Its plan at a glance.
    """

    execution_id: int
    root: int | None
    description: str
    started_at: int | None
    ended_at: int | None
    head: PlanHead


@dataclass(frozen=True, slots=True)
class Family:
    """A statement: its executions, and the plans that tell its lineage.

    Attributes:
        root: The root execution's id.
        members: Its executions' ids, the root's first, then in order.
        fingerprints: The plans: the members', then those that explain open attributes.
        stitches: Which attribute of which plan explains which.
        lineage_id: Names the combination of plans; equal for all runs of it.
    """

    root: int
    members: tuple[int, ...]
    fingerprints: tuple[str, ...]
    stitches: tuple[Stitch, ...]
    lineage_id: str


@dataclass(slots=True)
class _Draft:
    root: Run
    members: list[Run] = field(default_factory=list)


def find_families(runs: Sequence[Run], surroundings: Surroundings) -> list[Family]:
    """Ties an application's executions into statements.

    Args:
        runs: All executions of one application attempt.
        surroundings: What their plans are read with: part of what they mean.

    Returns:
        One family per root, in the order of the roots' ids.
    """
    ordered = sorted(runs, key=lambda run: run.execution_id)
    by_id = {run.execution_id: run for run in ordered}
    roots = _roots(ordered, by_id)
    drafts: dict[int, _Draft] = {}
    for run in ordered:
        root = roots[run.execution_id]
        drafts.setdefault(root, _Draft(by_id[root])).members.append(run)
    makers = _makers(ordered)
    return [_family(drafts[root], makers, repr(surroundings)) for root in sorted(drafts)]


def root_ids(runs: Sequence[Run]) -> dict[int, int]:
    """Execution id to its root's, for all of an application's executions."""
    ordered = sorted(runs, key=lambda run: run.execution_id)
    return _roots(ordered, {run.execution_id: run for run in ordered})


def _roots(ordered: Sequence[Run], by_id: Mapping[int, Run]) -> dict[int, int]:
    """Root by `rootExecutionId` (3.4+); before, a command's children are those that ran within it.

    A child of a lost root (a log that was cut, a compacted one) is its own root. Up to 3.1 a command is printed
    again, under the same attribute ids, when its result is collected: that is no second run of it (3.2+ prints
    a CommandResult).
    """
    roots: dict[int, int] = {}
    open_commands: list[Run] = []
    commands: dict[tuple[str, tuple[int, ...]], Run] = {}
    for run in ordered:
        if run.root is not None:
            roots[run.execution_id] = run.root if run.root in by_id else run.execution_id
            continue
        if run.head.command:
            printed = commands.setdefault((run.head.fingerprint, run.head.ids), run)
            if printed is not run:
                roots[run.execution_id] = roots[printed.execution_id]
                continue
        while open_commands and not _contains(open_commands[-1], run):
            open_commands.pop()
        roots[run.execution_id] = roots[open_commands[-1].execution_id] if open_commands else run.execution_id
        if run.head.command and run.head.command != "CommandResult":
            open_commands.append(run)
    return roots


def _contains(outer: Run, inner: Run) -> bool:
    """Did `inner` run within the command `outer`: in its time, under its description?"""
    if outer.started_at is None or outer.ended_at is None or inner.started_at is None:
        return False
    ended = inner.ended_at if inner.ended_at is not None else inner.started_at
    return outer.description == inner.description and outer.started_at <= inner.started_at and ended <= outer.ended_at


def _makers(ordered: Sequence[Run]) -> dict[int, Run]:
    """Attribute id, of those some execution wants explained, to the first execution that explains it."""
    wanted = {number for run in ordered for number in run.head.wanted}
    makers: dict[int, Run] = {}
    if not wanted:
        return makers
    for run in ordered:
        for number in wanted.intersection(run.head.ids):
            if number not in run.head.open:
                makers.setdefault(number, run)
    return makers


def _family(draft: _Draft, makers: Mapping[int, Run], salt: str) -> Family:
    members = [draft.root, *(run for run in draft.members if run is not draft.root)]
    plans = list(members)
    stitches: list[Stitch] = []
    own = {run.execution_id for run in members}
    for at, run in _growing(plans):
        for number in sorted(run.head.wanted):
            maker = makers.get(number)
            if maker is None or maker.execution_id in own or maker is run or len(plans) > len(members) + _FARTHEST:
                continue
            producer = next((place for place in range(at + 1, len(plans)) if plans[place] is maker), None)
            if producer is None:
                plans.append(maker)
                producer = len(plans) - 1
            places = (run.head.ids.index(number), maker.head.ids.index(number))
            stitches.append(Stitch(at, places[0], producer, places[1]))
    fingerprints = tuple(run.head.fingerprint for run in plans)
    return Family(
        root=draft.root.execution_id,
        members=tuple(run.execution_id for run in members),
        fingerprints=fingerprints,
        stitches=tuple(stitches),
        lineage_id=_name(fingerprints, len(members), stitches, salt),
    )


def _growing(plans: list[Run]) -> Iterable[tuple[int, Run]]:
    """Goes on with the plans that are added on the way."""
    at = 0
    while at < len(plans):
        yield at, plans[at]
        at += 1


def _name(fingerprints: Sequence[str], size: int, stitches: Sequence[Stitch], salt: str) -> str:
    lines = [*fingerprints, str(size), *(f"{s.plan}.{s.attribute}={s.producer}.{s.made}" for s in stitches), salt]
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=16).hexdigest()
