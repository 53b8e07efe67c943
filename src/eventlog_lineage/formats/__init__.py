"""Table formats, one package each: commands, rules, plan facts, passes and commits, in one `TableFormat`.

Everything that only one format prints belongs here. Text that Spark prints for all connectors, native engines
(`plan/printed`) and layouts of vendors' logs (`events`) do not. No lower package imports these packages;
`extensions.formats` finds them.
"""
