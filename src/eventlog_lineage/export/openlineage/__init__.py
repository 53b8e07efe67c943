"""OpenLineage's RunEvents (spec 2-0-2)."""
