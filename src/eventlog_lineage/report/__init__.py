"""The store as a page for a browser."""
