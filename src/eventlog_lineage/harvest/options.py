"""The options of a harvest, and of reading logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from eventlog_lineage.connectors.connector import read_connector_file, read_rules
from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.operators.derivations.functions import mask_names
from eventlog_lineage.redaction import Redaction

if TYPE_CHECKING:
    from eventlog_lineage.history.job_names import JobNameRule


class HarvestOptions(TypedDict, total=False):
    """How to harvest; an option that is left out has its default.

    Attributes:
        master: Spark's master; None for the one that Spark is configured with, else `local[*]`.
        reprocess: Read all logs again, whatever the store has, and trace all plans again.
        strict: Fail if a log cannot be read at all, and leave the store as it is.
        fail_if_empty: Fail if a source has no log at all, and leave the store as it is.
        pack: An archive for executors, made by `eventlog-lineage pack`; None if they have what it holds.
        keep_days: Drop the rows of runs older than this many days; None keeps all.
        keep_versions: How many versions of the store stay readable, the new one included; at least two.
        job_rule: How jobs are named from now on; None for the store's own rule.
        landing_files: The rule for landing files from now on; None for the store's own rule.
        redact: Regular expressions; matches are removed from all texts, as known secrets are.
        masking_function: Functions that mask in addition to Spark's hashes: names of UDFs, `aes_encrypt`, classes.
        source: Where tables of other systems are: texts or mappings as `connectors.connector.read_rule` reads them.
        connector: Paths of TOML files that declare connectors.
        mask_literals: Leave the literals of statements out of expressions, plans and SQL.
        max_line: Mebibytes of the longest line that is read.
        max_plan: Mebicharacters of the longest plan text that is parsed.
        max_expansion: Bytes of text that a stored byte may decompress to.
        max_seconds_per_log: CPU seconds that reading a log may take; one that takes more is unreadable.
        table_metadata: Read the tables' own metadata for snapshots that are in no log.
        declared: Paths of files that declare owners, exposures, tags and edges (`declarations.read_files`); none for
            the store's own declarations.
        store_mode: The mode of the store's folders; None for the mode that it has, and 0700 for a new one.
    """

    master: str | None
    settings: Mapping[str, str]
    reprocess: bool
    strict: bool
    fail_if_empty: bool
    keep_days: int | None
    keep_versions: int
    pack: str | None
    redact: tuple[str, ...]
    masking_function: tuple[str, ...]
    source: tuple[str | Mapping[str, object], ...]
    connector: tuple[str, ...]
    mask_literals: bool
    max_line: int
    max_plan: int
    max_expansion: int
    max_seconds_per_log: int
    job_rule: JobNameRule | None
    landing_files: str | None
    table_metadata: bool
    declared: tuple[str, ...]
    store_mode: int | None


def read_options(options: HarvestOptions) -> ReadOptions:
    """Return what is taken out of logs, and the limits.

    Raises:
        UsageError: A pattern of `redact` is not a regular expression, or a rule or a file is invalid.
    """
    return ReadOptions(
        Redaction(options.get("redact", ())),
        options.get("mask_literals", False),
        options.get("max_line", 256) << 20,
        options.get("max_plan", 32) << 20,
        options.get("max_expansion", 1000),
        options.get("max_seconds_per_log", 600),
        masks=mask_names(options.get("masking_function", ())),
        table_metadata=options.get("table_metadata", False),
        source_rules=read_rules(options.get("source", ())),
        connectors=tuple(map(read_connector_file, options.get("connector", ()))),
    )
