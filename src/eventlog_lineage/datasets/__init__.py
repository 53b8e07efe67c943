"""What a name or a path is."""
