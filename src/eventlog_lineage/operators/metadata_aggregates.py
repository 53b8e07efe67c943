"""What is said of aggregates that a connector answered from its metadata."""

from __future__ import annotations

FROM_METADATA = "a connector answered it from its metadata, and the plan does not name the table"
PUSHED_DOWN = (
    "set spark.sql.ui.explainMode=extended (an UPDATE's result has to be collected as well), so that the next run is "
    "told in full; or turn such answers off: spark.sql.iceberg.aggregate-push-down.enabled=false, "
    "spark.databricks.delta.optimizeMetadataQuery.enabled=false"
)
