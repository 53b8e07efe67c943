"""The datasets of landing files, by a rule that the store keeps."""

from __future__ import annotations

import re

from eventlog_lineage.datasets.landing import DEFAULT_LANDING_FILES, landing_folder
from eventlog_lineage.store.schema.store_facts import read_fact, write_fact

from .steps import Fold, python_step

_FACT = "landing_files"


@python_step(reads="seen_datasets staged_shown_datasets store_facts", makes="landing_names", changes="store_facts")
def name_landing_files(fold: Fold) -> None:
    """Make the temporary table `landing_names`: the folder of each landing file; an empty rule matches none."""
    connection = fold.connection
    if fold.landing_files is not None:
        write_fact(connection, _FACT, fold.landing_files)
    stored = read_fact(connection, _FACT)
    rule = re.compile(DEFAULT_LANDING_FILES if stored is None else stored)
    connection.execute('CREATE OR REPLACE TEMP TABLE landing_names ("name" VARCHAR, dataset VARCHAR)')
    paths = connection.execute(
        "SELECT dataset FROM seen_datasets WHERE kind = 'path' "
        "UNION SELECT dataset FROM staged_shown_datasets WHERE kind = 'path' ORDER BY ALL"
    ).fetchall()
    found = [(path, folder) for (path,) in paths if (folder := landing_folder(path, rule))] if rule.pattern else []
    if found:
        connection.executemany("INSERT INTO landing_names VALUES (?, ?)", found)
