"""Made-up plans."""
