"""The options of a harvest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from eventlog_lineage.connectors.declared import read_connector_file
from eventlog_lineage.connectors.source_rules import read_rules
from eventlog_lineage.declarations.read_files import read_files
from eventlog_lineage.declarations.things import Declarations
from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.operators.derivations.functions import mask_names
from eventlog_lineage.redaction import Redaction


@dataclass(frozen=True, slots=True)
class HarvestOptions:
    """How to harvest.

    Attributes:
        master: Spark's master; None for the one that Spark is configured with, else `local[*]`.
        settings: Spark settings.
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
        source: Where tables of other systems are: texts or mappings as `source_rules.read_rule` reads them.
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

    master: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    reprocess: bool = False
    strict: bool = False
    fail_if_empty: bool = False
    keep_days: int | None = None
    keep_versions: int = 2
    pack: str | None = None
    redact: tuple[str, ...] = ()
    masking_function: tuple[str, ...] = ()
    source: tuple[str | Mapping[str, object], ...] = ()
    connector: tuple[str, ...] = ()
    mask_literals: bool = False
    max_line: int = 256
    max_plan: int = 32
    max_expansion: int = 1000
    max_seconds_per_log: int = 600
    job_rule: JobNameRule | None = None
    landing_files: str | None = None
    table_metadata: bool = False
    declared: tuple[str, ...] = ()
    store_mode: int | None = None

    def __post_init__(self) -> None:
        self.read_options  # noqa: B018 - a wrong pattern is reported before anything is opened

    @property
    def declarations(self) -> Declarations | None:
        """What the files declare; None without files.

        Raises:
            UsageError: A file cannot be read, or has an invalid value.
        """
        return read_files(self.declared) if self.declared else None

    @property
    def read_options(self) -> ReadOptions:
        """What is taken out of logs, and the limits.

        Raises:
            UsageError: A pattern of `redact` is not a regular expression.
        """
        return ReadOptions(
            Redaction(self.redact),
            self.mask_literals,
            self.max_line << 20,
            self.max_plan << 20,
            self.max_expansion,
            self.max_seconds_per_log,
            masks=mask_names(self.masking_function),
            table_metadata=self.table_metadata,
            source_rules=read_rules(self.source),
            connectors=tuple(map(read_connector_file, self.connector)),
        )
