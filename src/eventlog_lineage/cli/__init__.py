"""The command line: options, output formats, progress, and one module per command in `commands`.

The only package that imports click and rich. It parses words, calls the packages below, and prints what they return;
what an answer is belongs in `store.queries`, what a harvest does in `harvest`.
"""
