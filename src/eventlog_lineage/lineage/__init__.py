"""From attribute ids to source columns."""
