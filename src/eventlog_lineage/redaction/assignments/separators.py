"""Patterns of the text between a name and its value."""

from __future__ import annotations

import re

from .ends import QUOTE

_WHOSE = (
    r"(?:for|of|to|für|von|de|du|del|da|do|di|dla|для|от|к|para|pour|per|voor|för|til)(?:\s(?!\d)[\w.@()-]{1,64}){1,4}"
    r"|(?:on|in|at)\s(?:user\s|host\s)?(?!\d)[\w.@-]{1,64}"
)
SEPARATOR = re.compile(
    rf"""(?P<close>{QUOTE}{{1,3}}|\*{{1,3}}|_{{1,3}})?(?::(?:\"\w{{1,64}}\":)?(?:protected|private)(?=\]))?[)\]}}%]?(?:\(s\))?
    (?:(?:\s{{1,3}}(?:\([^()\n]{{1,40}}\)|\[[^\[\]\n]{{1,40}}\]|[#]\d{{1,3}}|{_WHOSE}|is|was|ist|est|es|é|è|given|sent|now
        |(?:nova|nuova|nueva|neu|neues|reset|set|\w{{2,12}}(?:ed|oire|aire|uel|elle|oral|orio|oria|cial\w{{0,2}}))(?:\sto)?)){{1,3}}(?=\s{{0,3}}(?:[:=]|->|[\u2190-\u21ff\u27a0-\u27bf])))?
    [ \t]{{0,40}}\s{{0,3}}
    (?:(?P<equals>[:|?#&+~!*^]{{0,3}}\s?={{1,3}}[>~]?|[.\u2026]{{2,80}}\s?[:=]|\.{{5,80}}
        |<[=>-]>?|,(?=Some\()|-{{1,2}}>|~>?|>>|[^\x00-\x7f\w\s\u2013-\u201f\u2026\xab\xbb\uff08]|<br\s?/?>|(?<![\"'`])(?:,\s?\w{{1,64}}){{1,8}}\s?=\s?(?={QUOTE}[^"'\n]{{0,512}}{QUOTE},)
        |(?:\|\||\?\?|\bor\b)\s{{0,3}}(?={QUOTE})|\\{{1,8}}u003d|%(?:25){{0,2}}3d|&[#]0?61;|&[#]x3d;|&equals;)
      |(?P<colon>::(?=[ ]?\n|[ ]\S)
        |:|%(?:25){{0,2}}3a|\\{{1,8}}u003a|&[#]0?58;|&[#]x3a;|&colon;)(?!:))(?:\*\*(?=\s))?(?:\s|%20|\\[nrt\n]){{0,8}}""",
    re.VERBOSE | re.IGNORECASE,
)
"""`password=`, `"password": `, `password%3D`; a `::` is a cast."""

BEFORE_QUOTE = re.compile(
    rf"(?:{QUOTE}{{1,3}})?(?:[ \t]{{1,3}}(?:VALUE\s)?|\s{{0,3}}\(\s{{0,3}})N?(?=\\{{0,63}}[\"'`])"
    rf"|{QUOTE}{{1,3}}\s{{0,3}},\s{{0,3}}(?:{QUOTE}(?:eq|ne|in|is|like|[^\w\s\"']{{1,3}}){QUOTE}\s{{0,3}},\s{{0,3}})?(?={QUOTE})",
    re.IGNORECASE,
)
"""`OPTIONS (password 'x')`, `setPassword("x")`, `.option("password", "x")`, `map('password', 'x')`."""


PAIR = re.compile(
    rf"(?P<element>(?:{QUOTE}[^<>\n]{{0,120}}(?<!/)>(?:<!\[CDATA\[)?|(?::?\s{{0,3}}</[\w:]{{1,40}}>:?){{1,3}})"
    r"\s{0,40}(?:<(?!/|th\b)[\w:]{1,40}[^<>]{0,120}(?<!/)>\s{0,40}){0,3}(?=[^<\s]))"
    rf"|(?:{QUOTE}{{1,3}})?(?:\s{{1,3}}[\w-]{{1,32}}={QUOTE}[^\"'\n<>]{{0,80}}{QUOTE}){{0,4}}\s{{0,20}},?\s{{0,20}}(?:{QUOTE}{{1,3}})?(?:\w{{1,40}}{QUOTE}:\s?{QUOTE}\w{{1,40}}{QUOTE},\s?{QUOTE}){{0,3}}(?:\w{{0,20}}value|val|v|default)(?:{QUOTE}{{1,3}})?\s{{0,5}}[:=]\s{{0,5}}"
    rf"|{QUOTE}{{1,3}}\s{{0,20}},\s{{0,20}}(?:{QUOTE}\w{{1,40}}{QUOTE}\s{{0,5}}:\s{{0,5}}{QUOTE}\w{{1,40}}{QUOTE}\s{{0,5}},\s{{0,20}}){{0,3}}"
    rf"{QUOTE}(?:v|val|content|default|argument|example|data|text){QUOTE}\s{{0,5}}:\s{{0,5}}",
    re.IGNORECASE,
)
"""`<name>password</name><value>`, `"name": "password", "value": `, `name: PASSWORD` and `value: ` in the next line."""


ANNOTATION = re.compile(
    r"(?:&\s?(?:'\w{1,16}\s)?)?(?:mut\s)?(?:str|string|bytes|char|any|text|[A-Z]\w{0,40})\b(?:\[[^\]\n]{0,40}\]|<[^>\n]{0,40}>)?(?:\s\|\s\w{1,20})?\??"
    r"\s{0,3}=\s{0,3}(?:(?:[\w:]{1,32}\()?(?=[bruf]?[\"'`])|(?=[A-Z][A-Za-z]{2,20}\(|\*\*\*))"
)
"""The type between a name and its value: `password: Optional[str] = "x"`, `let password: &str = "x"`."""

BEFORE_VALUE = re.compile(
    r"(?:&\w{1,32}|!{1,2}\w{1,32}|/\*[^*\n]{0,64}\*/|lambda:)\s{1,3}(?=\S)"
    r"|(?:[A-Z][A-Za-z]{1,20}-\w{1,32}\s{1,3}|\$\([^)\"'\n]{1,80}|[\w.]{1,64}(?:\([^()\n]{0,80}\))?\s{0,3}(?:or|\|\||\?\??)\s{0,3}|[\w.]{0,64}\((?:\d{1,3},\s?)?"
    r"|\$\{\??\w{1,64}\}[ \t]{1,3}|string\(\d{1,9}\)\s{1,3})(?=[\"'])"
)
"""An anchor or a tag of YAML, a comment, a command: `ConvertTo-SecureString "x"`, `$(cat <<< "x")`."""

NAMED_INSIDE = re.compile(r"\(\s{0,3}\w{1,64}\s{0,3}=\s{0,3}['\"]")
"""`CREDENTIALS = (SAS_TOKEN = 'x')`: the names in the brackets have the values."""


ELEMENT = re.compile(
    r"(?:\s[^<>]{0,200})?(?:>|&gt;)(?:\s{0,40}<(?!/)[\w:]{1,40}[^<>]{0,120}(?<!/)>){0,3}(?:<!\[CDATA\[)?"
)
ELEMENT_END = re.compile(r"\]\]>|<")
ENCODED_ELEMENT_END = re.compile(r"\]\]>|<|&lt;")
ITEMS = re.compile(r"(?:</(?P<tag>[\w:]{1,40})>\s{0,40}<(?P=tag)(?:\s[^<>]{0,120})?>[^<]{1,512}){1,1000}")
BEFORE_ELEMENT = re.compile(r"(?:<|&lt;)(?:\w{1,20}:)?$")
"""`<password>x</password>`, `<passwords><item>x</item><item>y</item></passwords>`."""

PROPERTY = re.compile(
    r"(?:spark|hive|fs|hadoop|dfs|yarn|mapred\w{0,9}|javax|ssl|sasl|parquet|kafka|datanucleus|snowflake|databricks)"
    r"(?:\.[\w-]{1,64}){2,16}"
)
"""A setting, which `spark-defaults.conf` and command lines separate from its value by blanks."""
OPTION = re.compile(
    r"[ \t]{0,16}(?:[\w-]{1,64}(?:\.[\w-]{1,64}){1,16}[ \t]{2,64}[^\s,][^\n]{0,512}"
    r"|(?:[a-z]{1,32}_\w{1,64}|[a-z]{2,16}(?:pw|pass|auth|passwd))[ \t]{1,64}[^\s,]{4,512})(?<!,)"
)
"""A line of an option and its value, with blanks between them."""
BEFORE_NAME = re.compile(
    r"(?:(?i:login|machine|default|account)\s{1,3}\S{1,128}\s{1,8}"
    r"|(?:^|[\s'\"(\[,=\\])(?:ENV|ARG|setx|[Ss]et[Ee]nv|PerlSetVar|fastcgi_param|set(?:\s-\w{1,3})?"
    r"|(?:kv|config|variables?|secrets?|etcdctl|remote|wifi)[ :](?:put|set|add|create|write|modify|connect)"
    r"(?: --?[\w-]{1,32}){0,3}(?: [\w.-]{1,64}){0,3}"
    r"|-\w \S{1,64})\s{1,3}(?:[\w.-]{0,64}/[\w./:-]{0,128})?)$"
)
"""What is before a name that a blank separates from its value: of a `.netrc`, of Docker and of shells."""

_UNLIKE_VALUE = (
    r"(?:the|an?|this|see|ask|in|is|are|if|no|not|none|please|contact|use[sd]?|stored?|kept|your|you|we|it|select|insert|update"
    r"|delete|merge|with|from|where|create|alter|drop|set|string|varchar|todo|tbd|n/a)\b"
)
LONE = re.compile(
    rf"(?!{_UNLIKE_VALUE})[`\"'*]{{0,2}}[^\s`\"'*:=|,;#.!?(){{}}<>\[\]+-][^\s:=|]{{2,64}}(?: [^\s:=|]{{1,64}}){{0,5}}"
    r"(?<![.:,;)])[ \t]{0,8}(?=\n|$)",
    re.IGNORECASE,
)
"""A line that may be a value: no sentence, no statement, no other entry."""
HEADING = re.compile(
    r"(?:[ \t]{0,3}[-\u2013\u2014*_:]{0,3}[ \t]{0,3}\n[-=~^*_]{3,80}[ \t]{0,3}|[ \t*_:#]{0,8})\n{1,2}[ \t]{0,8}(?:- )?"
)
"""What follows a name that is a heading, or is underlined."""

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

SCHEME = re.compile(
    r"(?:bearer|basic|token|digest|negotiate|ntlm|api-?key|api-token|key|hawk|oauth|ssws|splunk|aws4?(?:-hmac-sha256)?|bot|jwt"
    r"|dpop|sharedkey(?:lite)?|genie-?key|sso-key|mac|googlelogin|[a-z][\w-]{1,20}(?=\s(?=[\w+/=.~-]{0,64}\d)[\w+/=.~-]{16}))"
    r"(?:\\?\s{1,3}|%20)(?=\S)",
    re.IGNORECASE,
)
_PARAMETER = r"[\w-]{1,64}=(?:\\?\"[^\"\n]{0,1024}\"|[^\s,\"']{1,1024})"
PARAMETERS = re.compile(rf"{_PARAMETER}(?:,\s{{0,3}}{_PARAMETER}){{1,32}}")
COOKIES = re.compile(r"[^\s;\"',\])]{1,4096}(?:;\s{0,2}[\w.$-]{1,128}(?:=[^\s;\"',\])]{0,4096})?){0,64}")
"""The scheme of an `Authorization` header, the parameters after it, and the value of a `Cookie` header."""
