"""Redact tokens by the prefixes of their vendors, with gitleaks' rules and further ones.

There are more than a hundred prefixes, and tokens are rare: `words` classifies each word once, and only the rules for
its words run. The first tables are for tokens that gitleaks does not find, or only after the vendor's name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pkgutil import get_data
from typing import NamedTuple

from eventlog_lineage.redaction.mask import Span, masked, offsets

_TOKENS = r"""
akia asia | (?:AKIA|ASIA)[0-9A-Z]{16}(?:\\{0,8}[\"']?(?:\s{0,3}[,:;/|]\s{0,3}|\s{1,3})\\{0,8}[\"']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?
q~ | \w{3}\dQ~[\w~.-]{31,40}
$1$ $5$ $6$ $y$ $apr1$ $2a$ $2b$ $2y$ $argon2 | \$(?:1|5|6|y|apr1|2[aby]|argon2\w{1,2})\$[\w./$=,+-]{20,250}
cflt | cflt[A-Za-z0-9+/]{40,}
dapi dkea dose ddba dsap | d(?:api|kea|ose|dba|sap)[0-9a-f]{32}(?:-\d{1,2})?
glpat- gldt- glrt- glcbt- glptt- glft- glsoat- | gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{20,300}(?:\.[0-9a-z]{2}\.?[0-9A-Za-z]{7,9})?
1//0 | 1//0(?=[\w-]{0,64}[a-z])(?=[\w-]{0,64}[A-Z])[\w-]{20,}
avns_ | AVNS_(?=[\w-]{0,24}[a-z])[\w-]{19,}
miib miic miie miig miih miij miik | MII[BCEGHIJK][A-Za-z0-9+/][AQgw]IBA[AD][A-Za-z0-9+/]{24,}={0,2}
mhccaqee migkageb mighagea mihcageb | (?:MHcCAQEE|MIGkAgEB|MIGHAgEA|MIHcAgEB)[A-Za-z0-9+/]{24,}={0,2}
hf_ | hf_[A-Za-z0-9]{30,}
snyk_uat. | snyk_uat\.[\w-]{4,64}\.[\w.-]{20,}
eyj | (?<![\w-])eyJ[\w-]{13,}\.[\w-]{8,}(?:\.[\w-]*)?
-us | [0-9a-f]{32}-us\d{1,2}
_mmk | [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk
sk- | sk-(?=[\w-]{0,64}\d)[\w-]{20,}
r8_ | r8_[A-Za-z0-9]{30,}
xox xapp- | (?:xox[a-z](?:\.xox[bp])?|xapp)-[A-Za-z0-9-]{12,}
:aa | \d{8,10}:AA[\w-]{33}
.atlasv1. | [A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}
s. | s\.(?=[A-Za-z0-9]{0,23}\d)(?=[A-Za-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\w.])
iqojb3jpz2lu fwogzxivyxdz fqogzxivyxdz aqodyxdz | (?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz|AQoDYXdz)[\w+/=%-]{40,}
azdo | [A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}
jqqj99 | [A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{10,40}
azfu azse azca aiot acdb | [A-Za-z0-9]{33,76}(?:AzFu|AzSe|AzCa|AIoT|ACDb)[A-Za-z0-9]{4,8}
pat-na pat-eu pat-ap | pat-(?:na|eu|ap)\d-[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}
sl. | sl\.(?:u\.)?[\w-]{60,}
aaaaaaaaaaaaaaaaaaaa | A{20,}[\w%-]{30,}
eaa | EAA(?:CEdEose0cBA[A-Za-z0-9]{16,}|[A-Za-z0-9]{80,})
ek_live_ ek_test_ sk_live_ sk_test_ rk_live_ rk_test_ | [ers]k_(?:live|test)_[A-Za-z0-9]{16,250}
secret_ | secret_[A-Za-z0-9]{43}
sdk- mob- api- | (?:sdk|mob|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
atctt3 | ATCTT3[\w-]{20,}(?:=[0-9A-F]{8})?
sk_ | sk_[0-9a-f]{40,}
ac0 ac1 ac2 ac3 ac4 ac5 ac6 ac7 ac8 ac9 aca acb acc acd ace acf | AC[0-9a-f]{32}[:,/ ]{1,2}[0-9a-f]{32}
fc- | fc-[0-9a-f]{32}
dg9ro | dG9rO[\w+/]{40,}={0,2}
nral | (?:[a-z]{2}\d\dxx)?[0-9a-f]{28,36}(?:FFFF)?NRAL
apa91b | (?:[\w-]{4,24}:)?APA91b[\w-]{100,}
- | (?<![0-9A-Za-z])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])
scw | SCW[0-9A-Z]{17}
etmsdgaaa | ETMsDgAAA[\w+/=-]{40,}
ycaje | YCAJE[\w-]{20}
astracs: | AstraCS:[A-Za-z0-9]{20,40}:[0-9a-f]{40,80}
amzn.mws. | amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
m n o | (?=[A-Za-z0-9]{0,27}\d)(?=[A-Za-z0-9]{0,27}[a-z])[MNO][A-Za-z0-9]{23,27}\.[\w-]{6}\.[\w-]{27,38}
"""  # noqa: E501 - one rule in each line
"""The literals of which one is in a token (in lower case), and the token as a regular expression."""

_PREFIXED = """
nvapi- lsv2_pt_ lsv2_sk_ pcsk_ hrku- tgp_v1_ tvly- wandb_v1_ phc_ phx_ phs_ phr_ ddapp_ ddapi_ hcaik_ hcxik_
hcbik_ napi_ vcp_ vck_ vca_ vci_ vcr_ cfut_ cfat_ cfk_ rnd_ cfpat- dp.st. dp.sa. dp.scim. dp.audit. dp.ct. essu_ ddp_
dbtc_ dbtu_ pnb_ api_org_ oy2 atbb flwseck- flwseck_test- squ_ sqp_ sqa_ csk- jina_ e2b_ apify_api_ rzp_live_
rzp_test_ secret-live- secret-test- gta_ chpt_ atta akid y0_ y1_ ops_eyj nrii- nrra- nral- nrbr- xata_ ntn_ sntryc_
sntryi_ hvr. bkct_ psk_live_ psk_test_ xsmtpsib- mlsn. bb_live_ bb_test_ cal_live_ cio hzn_ nbp_ fio-u- esecret_ rpa_
llx- qdr_ fo1_ ctp_ sk_example_ lin_oauth_ aio_ akab- fm2_ api_live_ api_test_ vercel_blob_rw_ eyjrijoi atoa
bbdc- vf.dm. bkua_ bkaj_ ccipat_ ccipjt_ dckr_pat_ dckr_oat_ figd_ ya29. gocspx- gsk_ mdb_sa_sk_ nfp_ pypi-agei
pypi-agen sq0csp- sq0idp- whsec_ sbp_ sb_secret_ tskey- xai- sntrys_
hxtp_ hxtw_ ldpat_ ldsvc_ mzp_ retool_ n8n_api_ dbts_ tr_prod_ tr_dev_ bt-st-
""".split()
"""Prefixes, in lower case, of tokens whose rest is random."""
_RANDOM_REST = (
    r"(?=[\w.-]{0,24}[A-Za-z0-9]{14}|(?:[\w-]{0,24}?(?:[a-z][A-Z0-9]|[0-9][A-Za-z])){4})"
    r"(?=[\w+/.-]{0,40}\d)(?=[\w+/.-]{0,40}[A-Za-z])[\w+/.-]{14,}"
)
_SHORT_PREFIXED = "ak- al- as- ck- co_ fw_ m0- mb_ nk- pa- fc- re_ sk_ pk_".split()
"""Prefixes that begin words as well: the rest has lower case, upper case and digits."""
_MIXED_REST = r"(?=[\w-]{0,24}\d)(?=[\w-]{0,24}[a-z])(?=[\w-]{0,24}[A-Z])[A-Za-z0-9_-]{20,}"

_PAIRS = tuple(line.split(" | ", 1) for line in _TOKENS.strip().splitlines())
_Rule = tuple[str, tuple[str, ...], str]
OWN_RULES: tuple[_Rule, ...] = (
    *((prefixes, tuple(prefixes.split()), expression) for prefixes, expression in _PAIRS),
    ("twilio", tuple(f"sk{digit}" for digit in "0123456789abcdef"), r"SK[0-9a-fA-F]{32}"),
)
FURTHER_RULES: tuple[_Rule, ...] = (
    *((prefix, (prefix,), rf"(?i:{re.escape(prefix)}){_RANDOM_REST}") for prefix in _PREFIXED),
    *((prefix, (prefix,), rf"{re.escape(prefix)}{_MIXED_REST}") for prefix in _SHORT_PREFIXED),
    ("dynatrace", ("dt0s",), r"dt0s\d\d\.[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{64}"),
)
"""Rule, the literals of which one is in a token (in lower case), the token as a regular expression."""

_MIXED = r"(?=[\w.-]{0,32}\d)(?=[\w.-]{0,32}[A-Za-z])"
SHORTER = re.compile(
    r"(?:gh[pousr]_|npm_|do[por]_v1_|shp(?:at|ca|pa|ss)_|[rs]k_(?:live|test|prod)_|rubygems_|lin_api_|ntn_|glsa_|glc_|sntry[su]_"
    r"|pscale_(?:tkn|oauth|pw)_|pnu_|rdme_|sgp_|shippo_(?:live|test)_|tfp_|sm_[aps]at_|duffel_(?:live|test)_|clojars_"
    rf"|AGE-SECRET-KEY-1){_MIXED}[A-Za-z0-9]{{12,}}(?:_[A-Za-z0-9]{{24,}})?"
    r"|(?:github_pat_|gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|imt|oas|ffct)-|hv[sb]\.|SG\.|PMAK-|NRAK-|dp\.pt\.|dt0c01\.|sq0atp-|xkeysib-"
    rf"|pplx-|HRKU-|ATATT3){_MIXED}[\w-]{{12,}}(?:\.[\w-]{{8,}}){{0,2}}(?:=[0-9A-F]{{8}})?"
)
"""Tokens with a vendor's prefix and another length than today's: vendors change it, texts are truncated."""

_FAR = frozenset({"m", "s.", "t1.", "sl.", "pk.", "v1.0-", "pat.", "sat.", "pat", ":aa", "1//0", "$1$"})
"""Ambiguous prefixes: the text after them decides whether it is a token."""
_LONG_BODIES = frozenset("akia asia a3t abia acca dapi dkea dose ddba dsap aiza ltai".split())
"""Prefixes of only letters, of tokens that are too regular to be a part of a word."""
_INSIDE = frozenset(
    {
        "q~",
        "-us",
        "_mmk",
        ":aa",
        ".atlasv1.",
        "azdo",
        "jqqj99",
        "azfu",
        "azse",
        "azca",
        "aiot",
        "acdb",
        "nral",
        "apa91b",
        "-",
        "etmsdgaaa",
    }
)
"""Text in the middle or at the end of a token."""
_OTHER_THAN_WORDS = re.compile(r"\+/|\+\\/|=|\\\.|~\.|(?<!\?)(?<!\?i):")


class Rule(NamedTuple):
    """A vendor's tokens.

    Attributes:
        prefixes: Every token contains one of them, in lower case.
        expression: The token, as a regular expression.
        begins: Whether every token begins with one of the prefixes.
        bounded: Whether no token begins within a word, as its prefix is short, or only letters and digits.
        one_word: Whether the token only has characters of words.
        far: Whether its prefixes are ambiguous.
    """

    prefixes: tuple[str, ...]
    expression: str
    begins: bool
    bounded: bool
    one_word: bool
    far: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """The token; compiled on first use, as all rules take a tenth of a second and a log needs few of them."""
        return _compiled(self.expression)

    def spans(self, text: str, lower: str) -> Iterator[Span]:
        """Yield the spans of the tokens in a text.

        Args:
            text: Any text.
            lower: The text in lower case.
        """
        if not self.begins:
            yield from (match.span() for match in self.pattern.finditer(text))
            return
        for prefix in self.prefixes:
            for place in offsets(lower, prefix):
                before = text[place - 1 : place]
                if self.bounded and before.isalnum() and before.isascii():
                    continue
                if match := self.pattern.match(text, place):
                    yield match.span()


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


@cache
def gitleaks_rules() -> tuple[_Rule, ...]:
    """Return the rules of `gitleaks_rules.json`, which scripts/update_secret_rules.py writes.

    `importlib.resources` reads from a ZIP, too, but takes 30 ms to import.
    """
    content = json.loads(get_data(__package__, "gitleaks_rules.json") or "")
    return tuple((name, tuple(prefixes), expression) for name, prefixes, expression in content["rules"])


@cache
def rules() -> tuple[Rule, ...]:
    """Return all rules."""
    every = (*OWN_RULES, *FURTHER_RULES, *gitleaks_rules())
    return tuple(_rule(prefixes, expression) for _, prefixes, expression in every)


@cache
def _far_rules() -> tuple[Rule, ...]:
    return tuple(rule for rule in rules() if rule.far)


def _rule(prefixes: tuple[str, ...], expression: str) -> Rule:
    return Rule(
        prefixes,
        expression,
        begins=_INSIDE.isdisjoint(prefixes),
        bounded=any((prefix.isalnum() and prefix not in _LONG_BODIES) or len(prefix) <= 3 for prefix in prefixes),
        one_word=_OTHER_THAN_WORDS.search(expression.removeprefix("(?i)")) is None,
        far=not _FAR.isdisjoint(prefixes),
    )


@cache
def known_prefixes() -> re.Pattern[str]:
    """Return an expression that finds an unambiguous prefix.

    It contains common beginnings once, as `re` tries alternatives one by one.
    """
    tree: _Tree = {}
    for prefix in {prefix for rule in rules() if not rule.far for prefix in rule.prefixes}:
        branch = tree
        for char in prefix:
            branch = branch.setdefault(char, {})
        branch[""] = {}
    return re.compile(_expression(tree))


_Tree = dict[str, "_Tree"]


def _expression(tree: _Tree) -> str:
    if "" in tree:
        return ""
    branches = [re.escape(char) + _expression(branch) for char, branch in sorted(tree.items())]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


_SHORTEST = 16
_REST = re.compile(r"[A-Za-z0-9]{0,4096}(?:[=_+]{1,3}[A-Za-z0-9][\w+/=-]{15,4096})?={0,2}")
"""What a token is longer by than its vendor's are today; Base64 in several parts."""
_BEFORE_DOT = frozenset("SG hvs hvb ya29 dt0c01 dt0s16 dp atlasv1 AstraCS amzn snyk_uat VF mlsn hvr sat pat".split())
"""Unambiguous prefixes that end with a dot."""


@cache
def _long_prefixes() -> tuple[str, ...]:
    """Return prefixes that are unambiguous before any text, and those before Base64, whose first `/` may be near."""
    return tuple(
        {
            prefix
            for rule in rules()
            for prefix in rule.prefixes
            if (len(prefix) > 3 and prefix[-1] in "_-.") or "+/]" in rule.expression or "+\\/]" in rule.expression
        }
    )


_RANDOM = re.compile(
    r"(?=[\w~-]{0,64}\d)(?=[\w~-]{0,64}[a-z])(?=[\w~-]{0,64}[A-Z])[\w~-]{20,}$|(?=\D{0,64}\d)\w{60,}|(?=[a-z]{0,51}[2-7])[a-z2-7]{52}$|[\w-]{0,64}-[0-9a-f]{100,}"
)


_LONG = 60
_LONG_RANDOM = re.compile(
    r"(?<![\w+/.:-])(?!AAAA[BCE][23][NV])(?=[^a-z]{0,64}[a-z])(?=[^A-Z]{0,64}[A-Z])(?:[A-Za-z0-9+/_-]{60,8192}={0,2}"
    r"|[A-Za-z0-9+/_-]{43}=|[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9]{6,8})(?![\w.(#=])|(?<![\w+/.:-])[a-z2-7]{52}(?![\w.(#])"
)
"""A key or token of an unknown vendor, whatever is before it, or one of Azure; not a public key of OpenSSH."""
_TURN = re.compile(r"[a-z]\d|\d[a-z]|[A-Z]\d|\d[A-Z]")
_ID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?<![0-9A-Za-z])[0-9a-f]{16,64}(?![0-9A-Za-z])")
"""A UUID or a digest: Spark Connect's tags of operations have two (`ExecuteHolder.jobTag`, 3.4 to 4.3)."""
_LEAST_TURNS = 8
_LEAST_TURNS_OF_FORM = 4
_SHORTEST_PIECE = 24


def is_token(word: str) -> bool:
    """Return whether a word is a token, or the beginning of a token with further characters."""
    lower = word.lower()
    if len(word) < _SHORTEST:
        return word in _BEFORE_DOT or lower.startswith(_long_prefixes()) or "q~" in lower
    if known_prefixes().search(lower) is None:
        return False
    return SHORTER.search(word) is not None or any(
        rule.pattern.search(word) or (not rule.one_word and (not rule.begins or lower.startswith(rule.prefixes)))
        for rule in rules()
        if not rule.far and any(prefix in lower for prefix in rule.prefixes)
    )


def is_random(word: str) -> bool:
    """Return whether a word may be the part of a token after a prefix that is not a word: `s.…`, `1//0…`."""
    return len(word) >= _SHORTEST and _RANDOM.match(word) is not None


def _whole(text: str, end: int) -> int:
    """Return the end of a token that is longer than its vendor's are today."""
    rest = _REST.match(text, end) if text[end - 1 : end].isalnum() or text[end - 1 : end] == "=" else None
    return rest.end() if rest else end


def without_vendor_tokens(text: str, tokens: Sequence[str]) -> str:
    """Return a text without the tokens that have a vendor's prefix.

    Args:
        text: Any text.
        tokens: Its words that are tokens, see `is_token`.
    """
    words, lower = " ".join(tokens).lower(), text.lower()
    for rule in rules() if tokens else _far_rules():
        if rule.far or not rule.one_word or any(prefix in words for prefix in rule.prefixes):
            spans = [(start, _whole(text, end)) for start, end in rule.spans(text, lower)]
            if spans:
                text = masked(text, spans)
                lower = text.lower()
    spans = [(match.start(), _whole(text, match.end())) for match in SHORTER.finditer(text)] if tokens else []
    text = masked(text, spans) if spans else text
    return masked(text, [match.span() for match in _LONG_RANDOM.finditer(text) if _is_one(match[0])])


def _is_one(text: str) -> bool:
    """Return whether a long text is random, and no path and no name with ids; a shorter one has the form of a key."""
    least = _LEAST_TURNS if len(text) >= _LONG else _LEAST_TURNS_OF_FORM
    text = _ID.sub("", text)
    return len(_TURN.findall(text)) >= least and len(max(text.split("/"), key=len)) >= _SHORTEST_PIECE
