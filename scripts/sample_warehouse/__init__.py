"""The sample warehouse: a small shop's nightly job, run on real Spark to make sample event logs."""
