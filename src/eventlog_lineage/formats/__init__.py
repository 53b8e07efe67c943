"""Table formats, each a package: its commands, rules, plan facts, passes and commits behind one `TableFormat`.

What belongs here: everything that only one format does or prints. What does not: what Spark prints for any connector,
native engines (`plan/engines`), and layouts of vendors' logs (`events`). Nothing below imports these packages;
`extensions.formats` finds them.
"""
