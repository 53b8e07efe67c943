"""The store as a Dagster asset, and a check of tags that arrive unmasked: `python scripts/try_examples.py` runs both.

The harvest is a process of its own: Dagster's Python needs the command `eventlog-lineage`, not its packages.
"""

import json
import os
import subprocess

from dagster import (
    AssetCheckResult,
    AssetExecutionContext,
    Config,
    Definitions,
    MaterializeResult,
    ScheduleDefinition,
    asset,
    asset_check,
    define_asset_job,
)

PROGRAM = os.environ.get("EVENTLOG_LINEAGE_PROGRAM", "eventlog-lineage")
UNREADABLE = 3


class HarvestConfig(Config):
    """Where the logs and the store are."""

    sources: list[str] = ["hdfs:///spark-logs"]  # noqa: RUF012 - pydantic copies it
    store: str = "/data/lineage"


@asset
def lineage_store(context: AssetExecutionContext, config: HarvestConfig) -> MaterializeResult:
    """Lineage of all Spark jobs, from their event logs."""
    words = [PROGRAM, "harvest", *config.sources, "--store", config.store, "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in {0, UNREADABLE}:
        raise RuntimeError(done.stderr.strip() or f"exit code {done.returncode}")
    summary = json.loads(done.stdout)
    context.log.info(f"{summary['logs_read']} logs read")
    names = ("logs_read", "logs_failed", "executions", "edges", "gaps")
    return MaterializeResult(metadata={"store": config.store, **{name: summary[name] for name in names}})


@asset_check(asset=lineage_store)
def no_personal_data_unmasked(config: HarvestConfig) -> AssetCheckResult:
    """No column has the tag PII by derivation without a mask on the way since a day."""
    words = [PROGRAM, "tags", "--tag", "PII", "--since", "1d", "--store", config.store, "--json"]
    found = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    columns = [f"{row['dataset']}.{row['column_name']}" for row in found]
    return AssetCheckResult(passed=not columns, metadata={"columns": columns})


nightly = define_asset_job("lineage_nightly", selection=[lineage_store])
defs = Definitions(
    assets=[lineage_store],
    asset_checks=[no_personal_data_unmasked],
    schedules=[ScheduleDefinition(job=nightly, cron_schedule="30 2 * * *")],
)
