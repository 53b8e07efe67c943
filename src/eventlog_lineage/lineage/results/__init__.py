"""From a resolved statement to rows: edges, dataset reads and writes, schema observations, gaps, text."""
