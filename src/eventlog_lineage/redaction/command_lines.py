"""Redact passwords after short flags of command lines, and in calls that connect: `mysql -px`, `vault login x`."""

from __future__ import annotations

import re

from eventlog_lineage.attribute_patterns import NUMBER

from .assignments.ends import bare, quoted
from .mask import Span, masked

_FLAG = re.compile(r"(?<![^\s\"'=(])-(?P<flag>[puakwPUb])(?P<blank>[ \t]{1,3}|[\"'],\s?(?=[\"']))?(?=[^\s-])")
_USER = re.compile(r"--(?:user|proxy-user|creds|login|auth)(?:[ \t]{1,3}|=)(?=[\"']?[^\s:\"']{1,128}:)")
_PAIR = re.compile(
    r"\\{0,8}[\"']?(?:[\w.-]{1,64}(?:\\{1,8}|/(?=[^\s:/]{1,64}%)))?[^\s:%\"'/\\]{1,128}[:%](?!//)[^\s\"']"
)
_TOOLS = {
    flag: re.compile(rf"(?:^|[\s/;|&(\[=,>\"'])(?:{tools})(?:\.exe)?[\"']?,?\s(?:[^\n;|&]{{0,400}})$")
    for flag, tools in {
        "p": "mysql\\w*|mariadb[\\w-]*|sshpass|beeline|(?:docker|podman|helm registry|oras) login|mongo\\w*|cqlsh"
        "|az (?:login|sql)|impala-shell|isql|7z|user(?:add|mod)",
        "a": "redis-cli|https?",
        "u": "lftp",
        "b": "curl",
        "k": "openssl",
        "w": "ldap\\w+|vsql|nzsql",
        "P": "sqlcmd|bcp|zip|unzip|[iot]sql|ipmi\\w+|bmc-\\w+",
    }.items()
}
"""Program to the flags that precede a password."""
_JOINED = re.compile(r"(?=[^\s]{0,64}\d)(?=[^\s]{0,64}[A-Za-z])[^\s/.:=,-][^\s/.:=,]{3,}")
_NEGATED = re.compile(rf"p\w*\(|p[^\s,]{{0,64}}#{NUMBER}L?(?:[\s,.)\[\]]|$)")
"""A minus before a function or an attribute of a plan, not a flag: `-pow(a#1, b#2)`, `sum(-price#3)`."""
_QUOTED = r"(?:b?\"[^\"\n]{0,512}\"|b?'[^'\n]{0,512}')"
_ARGUMENTS = rf"\((?:(?:{_QUOTED}|[\w.*]{{1,64}}),\s?)"
_CALL = re.compile(
    rf"(?:(?:getConnection|PDO|DBI->connect|PasswordAuthentication|credentials?(?:\.\w{{1,32}})?|\blogin|authenticate){_ARGUMENTS}{{1,2}}"
    rf"|\b(?:mysql|postgresql){_ARGUMENTS}{{4}}|OPENROWSET\({_QUOTED},\s?(?:{_QUOTED};){{2}}"
    rf"|\bsp_(?:addlogin|setapprole) N?{_QUOTED},\s?N?|\bsp_addlinkedsrvlogin (?:(?:N?{_QUOTED}|null),\s?){{4}}N?"
    rf"|\.connect{_ARGUMENTS}{{3}}|\b(?:database|dbConnect){_ARGUMENTS}{{2}}|AuthProvider{_ARGUMENTS}"
    r"|ConvertTo-SecureString (?:-String )?"
    rf"|(?:Fernet|SecretKeySpec|AES\.new)\(|(?:jwt\.(?:en|de)code|createHmac){_ARGUMENTS})(?P<call>{_QUOTED})"
    rf"|AuthProvider, ?[^\s,()\[\]]{{1,128}}, ?(?P<provider>{_QUOTED}|[^\s,()\[\]]{{4,256}})(?=[)\]])"
    r"|\bvault login (?:-\S{1,64} )?(?=\S{0,64}\d)(?P<token>[\w.-]{6,512})"
    r"|(?:^|[\s;('\"])(?:conn(?:ect)?|sqlplus|sqlldr|(?:exp|imp)(?:dp)?|rman target)"
    r"\s{1,3}(?:as [\w$#-]{1,64} / |(?:-\w{1,2}\s|as\s)?[\w$#-]{1,64}/)(?P<connect>[^\s;/'\"]{5,256})"
    r"|\b(?:put-secret|(?:set|create|put|add|update)_?secrets?\(|secrets?[ .](?:set|create|put|write|add|update))"
    r"[^\n]{0,200}?"
    r"(?:\s--(?:string-|secret-)?(?:value|string|data|body)[ =]|\s-[bv]\s|\s<<<\s?"
    r"|\b\w{0,16}(?:value|string|payload)\s?[=:]\s?b?[\"'])"
    r"(?P<stored>[^\s\"']{4,512})"
    r"|\b(?:scp|rsync)\s[^\n]{0,200}?\s[\w.@-]{1,128}:(?P<copied>(?=[^\s/]{0,64}\d)(?=[^\s/$]{1,64}[!$%^&*+#@])[^\s/.:]{6,256})(?![/.:])"
    r"|LoginModule[^\n;]{0,1000}?\suser_\w{1,64}=(?P<jaas>\"[^\"\n]{1,256}\")"
    r"|!connect jdbc:\S{1,1024} \S{1,128} (?P<beeline>\S{1,256})"
    r"|\.logon\s{1,3}[^\s,;]{1,256},(?P<logon>[^\s;]{1,256})"
    r"|\bnet use (?:\w:\s)?\S{1,128} (?P<drive>[^\s/\\]{1,256}) /user"
    r"|\bnet use(?:r \S{1,64}|[^\n]{1,200}/user:\S{1,64}) (?P<share>[^\s/]{1,256})"
    r"|\bhtpasswd -\w{1,8} \S{1,256} \S{1,128} (?P<file>\S{1,256})"
    rf"|\bssh-keygen [^\n]{{0,200}}?-[NP] (?P<key>{_QUOTED}|\S{{1,256}})"
    r"|\b(?:rabbitmqctl (?:add_user|change_password) \S{1,128}|rclone obscure|snmp-server community"
    r"|mc (?:alias set|config host add) \S{1,128} \S{1,256} \S{1,128}|mc admin user add \S{1,128} \S{1,128})"
    r" (?P<queue>\S{1,256})"
    r"|\b(?:echo|printf)(?: -\w| '%s(?:\\n)?')? [\"']?(?P<piped>[^\s|\"']{4,512})[\"']?\s?\|[^\n|]{0,200}"
    r"(?:--[\w-]{0,32}stdin|\bchpasswd|passphrase-fd|\bkinit|sudo -S)"
    r"|\b(?:chpasswd|kinit|cryptsetup|sudo -S|age -p)[^\n|<]{0,200}<<< [\"']?(?P<here>[^\s\"']{4,512})"
    r"|-u[^\n]{0,200}?\s-p'?, ?'?(?P<piece>(?!\s)(?:[^',()#\n]|#(?!\d)){4,512})(?='?[,)])"
    r"|-u\s?%s:%s[^\n,()]{0,200}, ?[^\n,()]{1,128}, ?'?(?P<formatted>(?:[^',()#\n]|#(?!\d)){4,512})(?='?\))"
    r"|(?<=\s/)(?:password|pass|pwd|p):(?P<windows>[^\s\"',]{1,512}|\"[^\"\n]{1,512}\")",
    re.IGNORECASE,
)
"""Calls and commands with a password at a place of its own."""
CALLS = (
    "getconnection pdo dbi- passwordauthentication mysql postgresql openrowset convertto-securestring fernet rclone"
    " rabbitmqctl secretkeyspec aes createhmac net login authenticate cryptsetup age chpasswd kinit sudo ssh-keygen"
    " mc plaintextauthprovider"
    " sp_addlogin sp_addlinkedsrvlogin sp_setapprole sqlplus sqlldr expdp impdp exp imp rman put-secret scp rsync"
).split()
"""Words of them, in lower case."""


_PAIRED = re.compile(
    r"\b(?:u|usr|user|username|uid|login|pw|pwd|pass|password)\s?[:=]\s?[^\s,;/|]{1,128}[\s,;/|-]{1,6}p\s?[:=]\s?"
    r"(?P<value>(?=[^\s,;]{0,64}[\d!$%^&*@+~-])[^\s\"',;)]{5,256})",
    re.IGNORECASE,
)


def without_paired(text: str) -> str:
    """Return a text without the passwords of `u: etl p: x`."""
    return masked(text, [match.span("value") for match in _PAIRED.finditer(text)])


def without_arguments(text: str) -> str:
    """Return a text without the passwords of command lines."""
    if "-" in text:
        text = masked(text, _flags(text))
        if "--" in text:
            text = masked(text, [(match.end(), _value(text, match.end())) for match in _USER.finditer(text)])
    return masked(text, [match.span(match.lastgroup or 0) for match in _CALL.finditer(text)])


def _flags(text: str) -> list[Span]:
    spans: list[Span] = []
    for match in _FLAG.finditer(text):
        at, flag = match.end(), match["flag"]
        if flag in "uU":
            pair = _PAIR.match(text, at) and not _is_of_numbers(text[at : _value(text, at)])
            if pair or _is_password(text, match):
                spans.append((at, _value(text, at)))
        elif _is_password(text, match) and (flag != "b" or "=" in text[at : _value(text, at)]):
            spans.append((at, _value(text, at)))
    return spans


def _is_of_numbers(pair: str) -> bool:
    """Return whether a pair is of ids, as `1000:1000` of a user and a group."""
    return pair.strip("\"'").replace(":", "", 1).isdigit()


def _is_password(text: str, match: re.Match[str]) -> bool:
    """Return whether a flag precedes a password: by its program, or by the form of the joined text."""
    flag, at = match["flag"], match.end()
    before = text[max(0, match.start() - 400) : match.start()]
    if flag in _TOOLS and _TOOLS[flag].search(before):
        return True
    line = before.rpartition("\n")[2] + text[at : at + 400].partition("\n")[0]
    if flag == "p" and any(user in line for user in (" -u ", " --user ", " --username ")):
        return not _is_of_numbers(text[at : _value(text, at)])
    if flag != "p" or match["blank"]:
        return False
    if before.endswith(("-u root ", "--user=root ")):
        return True
    return _JOINED.match(text, at) is not None and not _NEGATED.match(text, match.start("flag"))


def _value(text: str, at: int) -> int:
    return max(quoted(text, at), bare(text, at))
