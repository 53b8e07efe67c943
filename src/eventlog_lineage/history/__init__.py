"""What changes over time."""
