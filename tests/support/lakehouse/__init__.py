"""The truth of the table formats' logs, and what a reading of them scores."""
