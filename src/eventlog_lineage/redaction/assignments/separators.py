"""Patterns of the text between a name and its value."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import ID_START

from .quoted import QUOTE

SEPARATOR = re.compile(
    rf"""(?P<close>{QUOTE}{{1,3}})?[)\]]?\s{{0,3}}
    (?:(?P<equals>:=|=>|={{1,3}}|->|<=>|!=|<>|\+=|\uff1d|\\{{1,8}}u003d|%3d|&[#]61;|&[#]x3d;)
      |(?P<colon>[:\uff1a]|%3a|\\{{1,8}}u003a)(?!:))\s{{0,8}}""",
    re.VERBOSE | re.IGNORECASE,
)
"""`password=`, `"password": `, `password%3D`; a `::` is a cast."""

BEFORE_QUOTE = re.compile(rf"(?:{QUOTE}{{1,3}})?(?:\s{{1,3}}|\s{{0,3}}\(\s{{0,3}})N?(?=\\{{0,63}}[\"'`])")
"""`OPTIONS (password 'x')`, `setPassword("x")`."""

NAMES_A_VALUE = re.compile(r"\s{0,3}(?:=|:|->)")
"""The text after a quoted name: `CREDENTIALS ('key' = 'x')`."""

COMMA = re.compile(rf"{QUOTE}{{1,3}}\s{{0,3}},\s{{0,3}}(?={QUOTE})", re.IGNORECASE)
"""`.option("password", "x")`, `map('password', 'x')`."""

TUPLE = re.compile(r",(?![\s,)]|\w{1,40}Type\b)")
"""`(password,x)`, as Scala prints a pair, and Spark a filter: `EqualTo(password,x)`; a `StructField` has a type."""

FILTER = re.compile(r"(?! )[^\n]{1,4096}?(?=\)(?:[\s,)\]]|$))")
"""The text after the comma in `EqualTo(password,x)`, as `PushedFilters` print it."""

SOME = re.compile(rf"Some\((?:(?! AS \w{{1,128}}{ID_START})[^\n]){{0,4096}}?\)(?=\)(?:[\s,\]]|$))")
"""`(password,Some(x))`, as Spark prints a SET."""

PAIR = re.compile(
    rf"(?P<element></[\w:]{{1,40}}>\s{{0,40}}<(?:\w{{1,20}}:)?value[^<>]{{0,80}}>)"
    rf"|(?:{QUOTE}{{1,3}})?\s{{0,20}},?\s{{0,20}}(?:{QUOTE}{{1,3}})?value(?:{QUOTE}{{1,3}})?\s{{0,5}}[:=]\s{{0,5}}",
    re.IGNORECASE,
)
"""`<name>password</name><value>`, `"name": "password", "value": `, `name: PASSWORD` and `value: ` in the next line."""

WORD = re.compile(
    r"\s{1,3}(?:(?:not\s{1,3})?(?P<set>in)\s{0,3}(?=\()"
    r"|(?:not\s{1,3})?(?:like|rlike|ilike)\s{1,3}(?=\\{0,8}[\"'])"
    r"|for\s[^=;\n]{1,128}=\s{0,3}"
    r"|(?:\w{1,20}(?:\(\d{1,9}\))?\s{1,3}(?:not\s{1,3}null\s{1,3})?)?default\s{1,3}(?=\\{0,8}[\"'\d])"
    r"|(?P<prose>is|was)\s{1,3}(?=[^\s,;]{0,64}\d))",
    re.IGNORECASE,
)
"""`password IN (…)`, `password LIKE …`, `PASSWORD FOR u = …`, `password STRING DEFAULT …`, `the password is …`."""

ELEMENT = re.compile(r"(?:\s[^<>]{0,200})?(?:>|&gt;)(?:<!\[CDATA\[)?")
ELEMENT_END = re.compile(r"\]\]>|<|&lt;")
BEFORE_ELEMENT = re.compile(r"(?:<|&lt;)(?:\w{1,20}:)?$")
"""`<password>x</password>`."""

BLANK = re.compile(r"[ \t]{1,3}")
ALIGNED = re.compile(r"[ \t]{1,64}")
PROPERTY = re.compile(
    r"(?:spark|hive|fs|hadoop|dfs|yarn|mapred\w{0,9}|javax|ssl|sasl|parquet|kafka|datanucleus|snowflake|databricks)"
    r"(?:\.[\w-]{1,64}){2,16}"
)
"""A setting, which `spark-defaults.conf` and command lines separate from its value by blanks."""
NETRC = re.compile(r"(?:login|machine|default)\s{1,3}\S{1,128}\s{1,8}$", re.IGNORECASE)
DOCKER = re.compile(r"(?:^|[\s'\"(\[,=])(?:ENV|ARG)\s{1,3}$")

YAML_BLOCK = re.compile(r"[|>][+-]?[^\S\n]{0,3}\n[^\S\n]{1,20}")

TYPE = re.compile(
    r"(?:string|int|integer|long|bigint|smallint|tinyint|short|byte|boolean|bool|double|float|real|decimal|numeric|date"
    r"|timestamp(?:_ntz|_ltz|tz)?|time|binary|void|interval|struct|array|map|char|varchar|text|variant|object|uuid|any"
    r"|str|bytes|list|dict|optional|option|number|fixed|json|blob|clob)(?![\w@!-])",
    re.IGNORECASE,
)
"""A column's type, which follows its name and a colon in schemas."""

KEYWORD = re.compile(
    r"(?:[-(=,;|&#]|(?:from|as|is|in|not|and|or|like|between|order|group|where|then|else|end|when|asc|desc|null|on|using"
    r"|limit|union|join|inner|left|right|full|cross|having|into|values|set|comment|default|with|by|for|to)\b)",
    re.IGNORECASE,
)
"""Keywords after a column's name in SQL."""
