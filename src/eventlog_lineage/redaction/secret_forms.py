"""Redact secrets at a place of their own: in addresses, armoured blocks, headers, statements, commands and calls.

A form is declared by what is around its secret. What only a name marks as a secret is read by `assignments`.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

from eventlog_lineage.attribute_patterns import NUMBER

from .assignments.ends import bare, quoted
from .mask import Span, is_nothing, lowered, masked
from .names import is_secret_column, is_sensitive, looks_secret

_ADDRESSES = r"""
@ | any | ://(?<=s3://|3a://|3n://)«[^\s/@:,"']{1,256}:[^\s@"']{1,512}»@
@ | any | ://«{user}(?!\d{1,5}(?:[/?#\s"'`,;)\]}<>]|$))[^\s@"'`<>]{0,512}(?:(?<=\w) [^\s@"'`<>:/=$,]{1,64}(?=@[\w.-]{1,255}[:/]))?(?:@[^\s@/"'`<>]{1,256}(?=@)){0,16}»@
@ | any | ://«[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}:(?!\d{1,5}[/?#])[^\s/@:"'`<>]{1,512}»@
@ | any | \b(?:https?|wss?|ftps?|git|rediss?)://«[^\s/@:,?#"'`<>]{1,512}»@(?=[\w\[])
@ | any | ://(?<!abfs://|wasb://|adls://)(?<!abfss://|wasbs://)(?<!adl://)«(?=[\w.~-]{0,64}\d)(?=[\w.~-]{0,64}[A-Za-z])[\w.~-]{20,512}»@
@ | any | ://(?:[\w.%+-]{1,64}:'?, '?|'?, [^,\n]{1,128}, '?:'?, '?)«[^',\n]{1,512}»'?, '?@
jdbc:oracle: | any | jdbc:oracle:\w{1,20}:«[^\s/@:"']{1,256}/(?:"[^"\n]{1,256}"|[^\s@"']{1,256})»@
%3a %253a | any | %(?:25)?3A(?:%(?:25)?2F){2}«(?:[^\s"'&%]|%(?!(?:25)?40)[0-9A-F]{2}){0,256}%(?:25)?3A(?:[^\s"'&%]|%(?!(?:25)?40)[0-9A-F]{2}){1,512}»%(?:25)?40
% | named | (?<=[?&;])(?P<name>[\w.-]{0,64}%[\w.%-]{2,128})=«(?:[^\s"'&<>%]|%[0-9A-F]{2}){1,4096}»
? | random | (?<=[?&])(?:(?:key|code|k|p|t)=|appid=(?=[\da-f]{32}))«[\w.~+/=-]{5,4096}»
conn sqlplus pdp userid= -logon | any | (?:(?<=connect |sqlplus )|(?<=conn |[mx]pdp )|(?<=userid=|-logon )|(?<=sqlplus -\w )|(?<=sqlplus ["'])|(?<=connect\(["']))«[\w.$#-]{1,128}/(?:"[^"\n]{1,256}"|[^\s@"']{1,256})»@{host}
@ | any | {begin}«[^\s/@"'(=\[]{1,128}/[^\s/@]{1,256}»@(?=//|[\w.-]{1,255}:\d{1,5}/)
@ | database | {begin}«[\w$-]{1,64}/[^\s/@.:'"]{6,256}»@(?!v?\d|sha\d|main\b|master\b|latest\b|head\b|dev\w*\b)[A-Za-z][\w.]{1,64}(?:[\s'"),;]|$)
@ | login | (?:(?<![\w/.:+-])|(?<=[\w.]/)|(?<=//))(?!mailto:)«[\w.+-]{1,64}:[^\s@/:"'`<>(),;=]{3,256}»@{host}
"""  # noqa: E501 - one form in each line
"""The literals of which one is in a text with the form (in lower case), its check, and the form as a regular expression
with the «secret». These are searched in every text."""

_CUT_ADDRESS = r"""
:// | any | ://«{user}(?=[^\s\d]{0,64}\d)(?=[^\sA-Za-z]{0,64}[A-Za-z])[^\s@"'`<>/?#:,;()\[\]{}]{2,512}»$
"""
"""An address at the end of a text: Spark and other programs cut texts, also before the `@`."""
_LONGEST_CUT = 780
_MARKS = "@?%"
"""Characters of which one is in a line with an address that has a secret."""

_CREDENTIALS = r"""
-----begin | any | «-----BEGIN [A-Z0-9 _-]{0,60}(?:PRIVATE KEY(?: BLOCK)?|PGP MESSAGE)-----(?:[^-]{0,100000}(?:-(?!----)[^-]{0,10000}){0,2000}-----END [A-Z0-9 _-]{0,60}-----|(?:(?:\s|\\[nr]){0,4}(?:[\w-]{1,40}: [^\n"']{0,200}(?=\n)|[A-Za-z0-9+/=]{16,100})){0,2000}(?:(?:\n|\\n)(?=[A-Za-z]{0,15}[0-9+/=])[A-Za-z0-9+/=]{1,15})?)»
putty-user-key | any | «PuTTY-User-Key-File-\d: [^\n]{0,200}(?:\n(?:[\w-]{1,40}: [^\n]{0,200}|(?:[A-Za-z0-9+/=]{20,200}|[A-Za-z0-9+/]{1,20}=)(?![A-Za-z0-9+/=]))){0,2000}»
hook pagerduty | any | (?<![\w.:-])(?:[\w.:-]{0,64}hooks?\b[\w.:-]{0,64}/|[\w.:-]{1,128}/(?:[\w.-]{1,64}/){0,4}(?:web)?hooks?/|events\.pagerduty\.com/integration/)«(?=(?:[\w@.*-]{0,80}/){0,5}(?=[\w-]{0,64}\d)(?=[\w-]{0,64}[A-Za-z])[\w-]{16})[\w/@.*-]{16,512}»
bearer | any | (?-i:Bearer )«[A-Za-z0-9._~+/=-]{8,4096}»
bearer | any | bearer[ \t]«(?=[\w.~+/=-]{0,64}\d)[\w.~+/=-]{8,4096}»
pat | any | \bpat(?:[ \t=:]|[=:][ \t])«(?=[a-z]{0,64}\d)(?=\d{0,64}[A-Za-z])[A-Za-z0-9]{32,512}»
token ssws dpop splunk geniekey | any | \b(?:token|ssws|dpop|splunk|geniekey)[ \t]«(?=[\w.~+/=-]{0,64}\d)(?=[\w.~+/=-]{0,64}[A-Za-z])[\w.~+/=-]{16,4096}»
basic | basic | basic[ \t]«[A-Za-z0-9+/_-]{6,4096}={0,2}»
[[" | column | \["(?P<name>\w{1,128})" (?:[<>=]{1,2}|IN|LIKE|CONTAINS) (?:\?|\([?, ]{1,4096}\)), «[^\n\]]{1,4096}»\]
leaf- | column | \((?:IN|EQUALS|NULL_SAFE_EQUALS|BETWEEN|LESS_THAN(?:_EQUALS)?) (?P<name>[\w.`]{1,128}) «[^)\n]{1,4096}»\)
record | column | (?m:^) ?(?P<name>[\w.]{1,128})[ \t]{0,64}\|[ \t]{1,64}«[^\s|][^\n|]{0,4096}»(?m:$)
"""  # noqa: E501 - one form in each line
"""Those that are searched before names, which may have a part of them."""

_COMMANDS = r"""
identified | any | {identified}(?=\\{0,8}["'])
identified | any | \b(?:user|role|login|grant|database\s{1,8}link)\b[^;\n]{1,200}{identified}
identified | random | {identified}
identified | any | (?<=\*\*\*)\s{1,8}replace\s{1,8}
connect | any | \bconnect\s{1,8}to\s{1,8}\w{1,64}\s{1,8}user\s{1,8}[\w"']{1,64}\s{1,8}using\s{1,8}
pragma | any | \bpragma\s{1,8}(?:hex)?(?:re)?key\s{0,3}=\s{0,3}
attach | any | \battach\s[^;\n]{1,512}?\skey\s{1,8}(?=['"])
options with properties credential | any | \b(?:options|with|(?:tbl)?properties|credentials?)\s{0,8}\([^)]{0,4096}?(?<=[\s(,])(?:\\{0,8}['"`])?key(?:\\{0,8}['"`])?\s{0,3}(?:=|\s)\s{0,3}(?=\\{0,8}['"])
declare var variable | any | (?:\bdeclare\s{1,8}(?:or\s{1,8}replace\s{1,8})?(?:variable\s{1,8})?[^;'"]{1,256}?(?:default|=)|\bset\s{1,8}var(?:iable)?\s[^;'"]{1,512}?=)(?:[^;']|'\d{4}-[^']{0,64}'){0,4096}?(?<=[\s(,=|])«'(?!\d{4}-)(?:[^'\\]|''|\\(?s:.)){1,8192}'»
:5432: | any | [\w.*-]{1,255}:\d{4,5}:[\w*]{1,64}:[\w*]{1,64}:«[^\s"']{1,256}(?<!,)»
p: p= | any | \b(?:u|usr|user|username|uid|login|pw|pwd|pass|password)\s?[:=]\s?[^\s,;/|]{1,128}[\s,;/|-]{1,6}p\s?[:=]\s?«(?=[^\s,;]{0,64}[\d!$%^&*@+~-])[^\s"',;)]{5,256}»
-u | no_ids | (?<![^\s"'=(])-u{blank}(?=\\{0,8}["']?(?:[\w.-]{1,64}(?:\\{1,8}|/(?=[^\s:/]{1,64}%)))?[^\s:%"'/\\]{1,128}[:%](?!//)[^\s"'])
--user --proxy-user --creds --login --auth | any | --(?:user|proxy-user|creds|login|auth)(?:[ \t]{1,3}|=)(?=["']?[^\s:"']{1,128}:)
mysql mariadb sshpass beeline docker podman helm oras mongo cqlsh az impala isql 7z user | any | {program}(?:mysql\w*|mariadb[\w-]*|sshpass|beeline|(?:docker|podman|helm registry|oras) login|mongo\w*|cqlsh|az (?:login|sql)|impala-shell|isql|7z|user(?:add|mod)){flags}(?-i:p){blank}
redis-cli http | any | {program}(?:redis-cli|https?){flags}(?-i:a){blank}
lftp | any | {program}lftp{flags}(?-i:u){blank}
curl | any | {program}curl{flags}(?-i:b){blank}(?=[^\s=]{1,128}=)
openssl | any | {program}openssl{flags}(?-i:k){blank}
ldap vsql nzsql | any | {program}(?:ldap\w+|vsql|nzsql){flags}(?-i:w){blank}
sqlcmd bcp zip sql ipmi bmc | any | {program}(?:sqlcmd|bcp|zip|unzip|[iot]sql|ipmi\w+|bmc-\w+){flags}(?-i:P){blank}
-p | no_ids | \s(?:-u|--user|--username) [^\n]{1,400}?\s-p{blank}
-p | no_ids | (?<![^\s"'=(])-p{blank}(?=[^\n]{1,400} (?:-u|--user|--username) )
-p | any | (?:-u root |--user=root )-p(?=[^\s-])
-p | any | (?<![^\s"'=(])(?-i:-p)(?=[^\s-])(?!\w*\(|[^\s,]{0,64}#{number}L?(?:[\s,.)\[\]]|$))(?=[^\s]{0,64}\d)(?=[^\s]{0,64}[A-Za-z])(?=[^\s/.:=,-][^\s/.:=,]{3})
getconnection pdo dbi- passwordauthentication credential login authenticate mysql postgresql .connect database dbconnect authprovider securestring fernet secretkeyspec aes. jwt. createhmac | any | (?:(?:getConnection|PDO|DBI->connect|PasswordAuthentication|credentials?(?:\.\w{1,32})?|\blogin|authenticate){arguments}{1,2}|\b(?:mysql|postgresql){arguments}{4}|\.connect{arguments}{3}|\b(?:database|dbConnect){arguments}{2}|(?:AuthProvider|jwt\.(?:en|de)code|createHmac){arguments}|ConvertTo-SecureString (?:-String )?|(?:Fernet|SecretKeySpec|AES\.new)\()«{quoted}»
openrowset sp_ | any | (?:OPENROWSET\({quoted},\s?(?:{quoted};){2}|\bsp_(?:addlogin|setapprole) N?{quoted},\s?N?|\bsp_addlinkedsrvlogin (?:(?:N?{quoted}|null),\s?){4}N?)«{quoted}»
authprovider | any | AuthProvider, ?[^\s,()\[\]]{1,128}, ?«(?:{quoted}|[^\s,()\[\]]{4,256})»(?=[)\]])
vault | any | \bvault login (?:-\S{1,64} )?«(?=\S{0,64}\d)[\w.-]{6,512}»
conn sqlplus sqlldr exp imp rman | any | (?:^|[\s;('"])(?:conn(?:ect)?|sqlplus|sqlldr|(?:exp|imp)(?:dp)?|rman target)\s{1,3}(?:as [\w$#-]{1,64} / |(?:-\w{1,2}\s|as\s)?[\w$#-]{1,64}/)«[^\s;/'"]{5,256}»
secret | any | \b(?:put-secret|(?:set|create|put|add|update)_?secrets?\(|secrets?[ .](?:set|create|put|write|add|update))[^\n]{0,200}?(?:\s--(?:string-|secret-)?(?:value|string|data|body)[ =]|\s-[bv]\s|\s<<<\s?|\b\w{0,16}(?:value|string|payload)\s?[=:]\s?b?["'])«[^\s"']{4,512}»
scp rsync | any | \b(?:scp|rsync)\s[^\n]{0,200}?\s[\w.@-]{1,128}:«(?=[^\s/]{0,64}\d)(?=[^\s/$]{1,64}[!$%^&*+#@])[^\s/.:]{6,256}»(?![/.:])
loginmodule | any | LoginModule[^\n;]{0,1000}?\suser_\w{1,64}=«"[^"\n]{1,256}"»
!connect | any | !connect jdbc:\S{1,1024} \S{1,128} «\S{1,256}»
.logon | any | \.logon\s{1,3}[^\s,;]{1,256},«[^\s;]{1,256}»
net | any | \bnet use (?:\w:\s)?\S{1,128} «[^\s/\\]{1,256}» /user
net | any | \bnet use(?:r \S{1,64}|[^\n]{1,200}/user:\S{1,64}) «(?!\*)[^\s/]{1,256}»
htpasswd | any | \bhtpasswd -\w{1,8} \S{1,256} \S{1,128} «\S{1,256}»
ssh-keygen | any | \bssh-keygen [^\n]{0,200}?-[NP] «(?:{quoted}|\S{1,256})»
rabbitmqctl rclone snmp mc | any | \b(?:rabbitmqctl (?:add_user|change_password) \S{1,128}|rclone obscure|snmp-server community|mc (?:alias set|config host add) \S{1,128} \S{1,256} \S{1,128}|mc admin user add \S{1,128} \S{1,128}) «\S{1,256}»
echo printf | any | \b(?:echo|printf)(?: -\w| '%s(?:\\n)?')? ["']?«[^\s|"']{4,512}»["']?\s?\|[^\n|]{0,200}(?:--[\w-]{0,32}stdin|\bchpasswd|passphrase-fd|\bkinit|sudo -S)
<<< | any | \b(?:chpasswd|kinit|cryptsetup|sudo -S|age -p)[^\n|<]{0,200}<<< ["']?«[^\s"']{4,512}»
-u | any | -u[^\n]{0,200}?\s-p'?, ?'?«(?!\s)(?:[^',()#\n]|#(?!\d)){4,512}»'?[,)]
-u | any | -u\s?%s:%s[^\n,()]{0,200}, ?[^\n,()]{1,128}, ?'?«(?:[^',()#\n]|#(?!\d)){4,512}»'?\)
: | any | (?<=\s/)(?:password|pass|pwd|p):«(?:[^\s"',]{1,512}|"[^"\n]{1,512}")»
"""  # noqa: E501 - one form in each line
"""Those that are searched after names. Without «secret», the value is what the form ends before."""

_FRAGMENTS = {
    "arguments": r"\((?:(?:{quoted}|[\w.*]{1,64}),\s?)",
    "quoted": r"(?:b?\"[^\"\n]{0,512}\"|b?'[^'\n]{0,512}')",
    "user": r"[^\s/@:,\"'`<>\[]{0,256}:",
    "begin": r"(?<![^\s\"'(=\[])",
    "host": r"(?=(?P<server>\(|//[\w.-]{1,255}[:/]|[\w.-]{1,255}(?::\d{2,5}\b|/|\())|[\w.-]{1,255}(?:\s|$|[,;\"')\]]))",
    "identified": r"identified\s{1,8}(?:with\s{1,8}[\w\"'`]{1,64}\s{1,8}(?:by|as)|by)"
    r"(?:\s{1,8}(?:password|values))?\s{1,8}(?:['\"]{1,4}\s{0,3}(?:,|\|\||\+)\s{0,3}(?=['\"]))?",
    "program": r"(?:^|[\s/;|&(\[=,>\"'])",
    "flags": r"(?:\.exe)?[\"']?,?\s(?:[^\n;|&]{0,400}?(?<=[\s\"'=(]))??-",
    "blank": r"(?:[ \t]{1,3}|[\"'],\s?(?=[\"']))?(?=[^\s-])",
    "number": NUMBER,
}
"""Parts of forms."""
_FRAGMENT = re.compile(r"\{([a-z]+)\}")
_SHORTEST_RANDOM = 20
_LOGIN = re.compile(
    r"\b(?:log(?:ged|ging)?[ -]?(?:in|on)|sign(?:ed)?[ -]?in|connect(?:ed|ing)?|auth\w{0,16}|s?ftp|ssh)"
    r"(?: [a-z]{1,16}){0,2}[ :=]{1,3}$",
    re.IGNORECASE,
)
"""Words before a user and a password."""


def _is_database(_: re.Match[str], secret: str) -> bool:
    return looks_secret(secret.partition("/")[2])


def _is_user_and_password(_: re.Match[str], secret: str) -> bool:
    """Return whether a credential of `Basic` is base64 of `user:password`, or random."""
    if len(secret) >= _SHORTEST_RANDOM and looks_secret(secret):
        return True
    padded = secret.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        decoded = b64decode(padded + "=" * (-len(padded) % 4), validate=True)
    except Error:
        return False
    return b":" in decoded and decoded.isascii()


def _is_login(match: re.Match[str], secret: str) -> bool:
    """Return whether `user:password@host` is a login: it is strong, has a server, or follows such a word."""
    before = match.string[max(0, match.start() - 400) : match.start()]
    if "://" in before.replace("\n", " ").replace("\t", " ").rpartition(" ")[2]:
        return False
    user, _, password = secret.partition(":")
    kinds = (str.isdigit, str.islower, str.isupper)
    is_strong = len(password) >= 8 and all(any(map(kind, password)) for kind in kinds) and not is_sensitive(user)
    is_user = not password.isdigit() and _LOGIN.search(before) is not None
    return is_strong or is_user or match["server"] is not None


_CHECKS: dict[str, Callable[[re.Match[str], str], bool]] = {
    "any": lambda _, secret: secret.strip("'\"") != "",
    "random": lambda _, secret: looks_secret(secret),
    "no_ids": lambda _, secret: not secret.strip("\"'").replace(":", "", 1).isdigit(),
    "named": lambda match, _: is_sensitive(unquote(match["name"])),
    "column": lambda match, secret: is_secret_column(match["name"]) and not is_nothing(secret, 0, len(secret)),
    "database": _is_database,
    "basic": _is_user_and_password,
    "login": _is_login,
}


class _Form(NamedTuple):
    """A form: what a text with it has in lower case, whether a match is one, its expression."""

    words: tuple[str, ...]
    is_secret: Callable[[re.Match[str], str], bool]
    expression: str

    def spans(self, text: str) -> Iterator[Span]:
        """Yield the spans of the secrets in a text."""
        for match in _compiled(self.expression).finditer(text):
            start, end = match.span("secret") if "secret" in match.re.groupindex else _value(text, match.end())
            if self.is_secret(match, text[start:end]):
                yield start, end


def _value(text: str, at: int) -> Span:
    return at, max(quoted(text, at), bare(text, at))


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    """Compile a form on its first use: all forms take a third of a second, and a log needs few of them."""
    while _FRAGMENT.search(expression):
        expression = _FRAGMENT.sub(lambda match: _FRAGMENTS[match[1]], expression)
    return re.compile(expression.replace("«", "(?P<secret>").replace("»", ")"), re.IGNORECASE)


def _forms(lines: str) -> tuple[_Form, ...]:
    fields = (line.split(" | ", 2) for line in lines.strip().splitlines())
    return tuple(_Form(tuple(words.split()), _CHECKS[check], expression) for words, check, expression in fields)


_ADDRESS_FORMS = _forms(_ADDRESSES)
_CUT_FORMS = _forms(_CUT_ADDRESS)
CREDENTIALS = _forms(_CREDENTIALS)
COMMANDS = _forms(_COMMANDS)
_MOST_SECRETS = 64
"""Secrets of one form that follow each other, as the values of a variable."""


def without_users(text: str) -> str:
    """Return a text without users, passwords and keys in its addresses.

    The keys of S3 (`s3a://key:secret@bucket`) and passwords may contain slashes; a port is not a password. Text before
    the `@` without a colon is a container in `abfss:` and a user in `hdfs:` or `jdbc:`, and is kept.

    >>> without_users("fetch https://etl:x7Qz"), without_users("http://host:8080")
    ('fetch https://***', 'http://host:8080')
    """
    if any(mark in text for mark in _MARKS):
        text = "\n".join(map(_without_address, text.split("\n")))
    end = text.rfind("://", -_LONGEST_CUT)
    return text if end < 0 else text[:end] + without(text[end:], _CUT_FORMS)


def _without_address(line: str) -> str:
    return without(line, _ADDRESS_FORMS) if any(mark in line for mark in _MARKS) else line


def without(text: str, forms: tuple[_Form, ...]) -> str:
    """Return a text without the secrets in some forms."""
    lower = lowered(text)
    for form in forms:
        if any(word in lower for word in form.words):
            for _ in range(_MOST_SECRETS):
                before, text = text, masked(text, form.spans(text))
                if text == before:
                    break
    return text
