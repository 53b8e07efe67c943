"""The statements whose plans are the operators' fixtures."""
