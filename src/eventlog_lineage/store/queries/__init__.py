"""Questions about a store: one module per question, and opening a store for reading."""
