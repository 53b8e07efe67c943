"""Further reads of several paths, written with their truth before any log: formats, patterns, files, joins, streams."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import zstandard

from eventlog_lineage.datasets.naming import common_folder
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage

LOGS = sorted((Path(__file__).resolve().parent.parent / "path_logs").glob("reads-*.zstd"))
LAKE = "file:///tmp/path_logs/lake/"
READS = {
    "format_list": "north|south",
    "orc_list": "orc_n|orc_s",
    "orc_braces": "orc_n|orc_s",
    "csv_header": "csv_n|csv_s",
    "json_inferred": "json_n|json_s",
    "json_format": "json_n|json_s",
    "text_glob": "csv_n|csv_s",
    "question": "north",
    "classes": "north|south",
    "stems": "north|south|east",
    "folders": "events/2026/11/01|events/2026/11/02",
    "folders_glob": "events/2026/11/01|events/2026/11/02|events/2026/11/03",
    "months": "months",
    "months_base": "months",
    "part_files": "north|south",
    "part_and_folder": "east|west",
    "comma": "a, b|north",
    "bracket": "x]y|south",
    "number": "n (1)|south",
    "union": "north|south|east",
    "unions": "north|south|east|west",
    "windows": "north|south|east",
    "table_join": "north|south|plain",
    "semi": "west|north|south",
    "subquery": "north|south|east",
    "exists": "north|south|east",
    "cached_join": "north|south",
    "cached_twice": "east|south|west",
    "cached_view": "east|west",
    "self_join": "north|south",
    "broadcast": "north|south|east",
    "sql_file": "north|south",
    "sql_view": "csv_n|csv_s",
    "pivot": "north|south",
    "exploded": "north|south",
    "recursive": "deep",
    "globfilter": "north|east",
    "deep_glob": "deep/n/inner|deep/s/inner",
    "repartition": "north|south",
    "topk": "north|south",
    "ordered": "north|east",
    "named": "north|south",
    "metadata": "north|south",
    "directory": "north|south",
    "stream": "north|south",
    "batches": "east|west",
    "plain": "north|south",
    "days": "north|south",
    "saved": "north|south|east",
    "ctas": "north|south|east",
}
"""What the statements of scripts/path_jobs/reads.job read, by the name of what they write."""
COLUMNS = {
    "table_join": "k=north,south v=plain",
    "semi": "id=west v=west k=west",
    "subquery": "id=east m=north,south",
    "exists": "id=east",
    "broadcast": "a=north,south b=south,east",
    "ctas": "id=north,south v=east",
}
"""The datasets of single columns."""
INCOMPLETE = {
    "part_files": "1 more path is not printed",
    "part_and_folder": "1 more path is not printed",
    "bracket": "the scan prints neither a table nor a path",
    "directory": "no plan in the log produces id, k",
}
"""Gaps: two long names of files, a bracket in a path; 3.1 prints no path in an INSERT OVERWRITE DIRECTORY."""


@cache
def written(path: Path) -> dict[str, list[StatementLineage]]:
    """Return the lineages of a log's statements by the folder or table that they write."""
    (log,) = find_logs([str(path)])
    found: dict[str, list[StatementLineage]] = {}
    for each in trace_log(read_log(log)):
        if each.lineage.target:
            name = each.lineage.target.name
            found.setdefault(name.rpartition("/" if "/out/" in name else ".")[2], []).append(each.lineage)
    return found


def short(dataset: str | None) -> str:
    return str(dataset).removeprefix(LAKE).removeprefix("spark_catalog.default.")


CASES = [(path, name) for path in LOGS for name in READS if name in written(path)]


@pytest.mark.parametrize(("path", "name"), CASES, ids=[f"{path.stem}/{name}" for path, name in CASES])
def test_a_read_has_an_edge_from_each_path_or_a_gap(path: Path, name: str) -> None:
    *_, lineage = written(path)[name]
    expected = set(READS[name].split("|"))
    found = {short(each.source_dataset) for each in lineage.edges if each.source_dataset}
    if folder := common_folder([LAKE + each for each in expected]):
        expected = {short(folder)} if found == {short(folder)} else expected
    if lineage.gaps:
        assert all(gap.detail.startswith(INCOMPLETE[name]) for gap in lineage.gaps)
        return
    assert found == expected
    views = {"view", "temp_view"}
    uses = [each.dataset for each in lineage.accesses if each.direction == "read" and each.dataset.kind not in views]
    assert {short(each.name) for each in uses} == expected
    for column, _, sources in (each.partition("=") for each in COLUMNS.get(name, "").split()):
        direct = [each for each in lineage.edges if each.target_column == column and each.dependency == "DIRECT"]
        assert {short(each.source_dataset) for each in direct} == set(sources.split(","))


def test_only_few_reads_have_a_gap() -> None:
    gaps = {(path.stem, name) for path, name in CASES if written(path)[name][-1].gaps}
    assert len(gaps) <= len(CASES) / 15
    assert {path.stem for path in LOGS} == {"reads-3-1", "reads-3-5", "reads-3-5-extended", "reads-4-3"}
    assert len(CASES) >= 190


@pytest.mark.parametrize(
    ("scheme", "name"),
    [
        ("s3a://b/lake/", "s3://b/lake/"),
        ("hdfs://nn:8020/lake/", "hdfs://nn:8020/lake/"),
        ("abfss://c@a.dfs.core.windows.net/lake/", "abfss://c@a.dfs.core.windows.net/lake/"),
        ("gs://b/lake/", "gs://b/lake/"),
        ("dbfs:/lake/", "dbfs:/lake/"),
    ],
)
def test_the_scheme_of_the_paths_changes_only_their_names(scheme: str, name: str, tmp_path: Path) -> None:
    path = next(each for each in LOGS if each.stem == "reads-4-3")
    with zstandard.open(path) as file:
        text = file.read().replace(b"file:/tmp/path_logs/lake/", scheme.encode())
    (tmp_path / "log").write_bytes(text.replace(b"/tmp/path_logs/lake/", scheme.encode()))
    for target, (*_, lineage) in written(tmp_path / "log").items():
        if target in READS and not lineage.gaps:
            found = {str(each.source_dataset).removeprefix(name) for each in lineage.edges if each.source_dataset}
            assert {each.removeprefix("spark_catalog.default.") for each in found} == set(READS[target].split("|"))
