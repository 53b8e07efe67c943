"""One rule per file: what an operator outputs, what it influences, what it reads and writes."""
