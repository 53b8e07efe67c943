"""Find which scans the rows of a job's RDDs come from, where they leave Spark SQL: `df.rdd.map(f)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from eventlog_lineage.events.job_facts import RddRows

_SQL_RDD = b'"Name":"SQLExecutionRDD"'
"""`QueryExecution.toRdd` (3.1+)."""
_CALLS = (b'"Callsite":"javaToPython', b'"Callsite":"rdd at ', b"JavaRDD at ")
"""The call sites of RDDs that leave Spark SQL, among others (2.x, 3.0)."""
_STRING = rb'"(?:[^"\\]|\\.)*"'
_RDD = re.compile(
    rb'\{"RDD ID":(?P<rdd>\d{1,18}),"Name":' + _STRING + rb'(?:,"Scope":(?P<scope>' + _STRING + rb"))?"
    rb'(?:,"Callsite":' + _STRING + rb')?,"Parent IDs":\[(?P<parents>[\d, ]*)\]'
)
_NAME = re.compile(rb'\\"name\\":\\"(?P<name>[^"\\]+)\\"')
_SCAN = re.compile(rb"(?:Batch)?Scan (?!ExistingRDD)")
_STAGE = re.compile(rb"WholeStageCodegen \((\d{1,9})\)")
_MOST_RDDS = 500


class _Rdd(NamedTuple):
    """An RDD: its parents, the operator or method that made it, and whether its rows are outside Spark SQL."""

    parents: tuple[int, ...]
    name: bytes
    leaves: bool


def rdd_rows(line: bytes) -> tuple[RddRows, ...]:
    """Return the RDDs of a job that hold rows of scans outside Spark SQL, with these scans.

    Args:
        line: `SparkListenerJobStart`, which describes the RDDs of each stage with their parents.
    """
    if _SQL_RDD not in line and not any(call in line for call in _CALLS):
        return ()
    rdds = {int(match["rdd"]): _read(match) for match in _RDD.finditer(line)}
    if len(rdds) > _MOST_RDDS:
        return ()
    found = []
    for number in sorted(rdds):
        made_of = _ancestors(number, rdds)
        outside = [each for each in made_of if rdds[each].leaves]
        scans = dict.fromkeys(rdds[each].name for each in sorted(made_of) if _SCAN.match(rdds[each].name))
        if outside and scans:
            names = tuple(name.decode(errors="replace").strip() for name in scans)
            found.append(RddRows(number, names, any(_lacks_stages(_ancestors(each, rdds), rdds) for each in outside)))
    return tuple(found)


def _read(match: re.Match[bytes]) -> _Rdd:
    parents = tuple(int(each) for each in match["parents"].split(b",") if each.strip())
    scope = _NAME.search(match["scope"] or b"")
    name = scope["name"] if scope else b""
    leaves = _SQL_RDD in match[0] or (name.startswith(b"map") and any(call in match[0] for call in _CALLS))
    return _Rdd(parents, name, leaves)


def _ancestors(number: int, rdds: Mapping[int, _Rdd]) -> set[int]:
    """Return an RDD and all RDDs of the job that it is made of."""
    found: set[int] = set()
    waiting = [number]
    while waiting:
        each = waiting.pop()
        if each in rdds and each not in found:
            found.add(each)
            waiting.extend(rdds[each].parents)
    return found


def _lacks_stages(made_of: set[int], rdds: Mapping[int, _Rdd]) -> bool:
    """Return whether an RDD is not made of all stages of its query: a side of a join is broadcast by another job.

    Spark numbers the stages of a query from 1 (`CodegenContext`, `CollapseCodegenStages`).
    """
    stages = {int(match[1]) for each in made_of if (match := _STAGE.match(rdds[each].name))}
    return bool(stages) and len(stages) < max(stages)
