"""Code that tests of several packages share: samples, truths, strategies and processes."""
