"""Rules for tokens that gitleaks does not find, or only after the vendor's name."""

from __future__ import annotations

import re

_TOKENS = r"""
akia asia | (?:AKIA|ASIA)[0-9A-Z]{16}(?:\\{0,8}[\"']?(?:\s{0,3}[,:;/|]\s{0,3}|\s{1,3})\\{0,8}[\"']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?
q~ | \w{3}\dQ~[\w~.-]{31,40}
$1$ $5$ $6$ $y$ $apr1$ $2a$ $2b$ $2y$ $argon2 | \$(?:1|5|6|y|apr1|2[aby]|argon2\w{1,2})\$[\w./$=,+-]{20,250}
cflt | cflt[A-Za-z0-9+/]{40,}
dapi dkea dose ddba dsap | d(?:api|kea|ose|dba|sap)[0-9a-f]{32}(?:-\d{1,2})?
glpat- gldt- glrt- glcbt- glptt- glft- glsoat- | gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{20,300}(?:\.[0-9a-z]{2}\.?[0-9A-Za-z]{7,9})?
1//0 | 1//0(?=[\w-]{0,64}[a-z])(?=[\w-]{0,64}[A-Z])[\w-]{20,}
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
ffffnral | [0-9a-f]{36}FFFFNRAL
scw | SCW[0-9A-Z]{17}
ycaje | YCAJE[\w-]{20}
"""  # noqa: E501 - one rule in each line
"""The literals of which one is in a token (in lower case), and the token as a regular expression."""

_PREFIXED = """
nvapi- lsv2_pt_ lsv2_sk_ pcsk_ hrku- tgp_v1_ tvly- wandb_v1_ phc_ phx_ phs_ phr_ ddapp_ ddapi_ hcaik_ hcxik_ hcbik_
napi_ vcp_ vck_ vca_ vci_ vcr_ cfut_ cfat_ cfk_ rnd_ cfpat- dp.st. dp.sa. dp.scim. dp.audit. dp.ct. essu_ dbtc_ dbtu_
pnb_ api_org_ oy2 atbb flwseck- flwseck_test- squ_ sqp_ sqa_ csk- jina_ e2b_ apify_api_ rzp_live_
rzp_test_ secret-live- secret-test- gta_ chpt_ atta akid y0_ y1_ ops_eyj nrii- nrra- nral- nrbr- xata_ ntn_ sntryc_
sntryi_ hvr. bkct_ psk_live_ psk_test_ xsmtpsib- mlsn. bb_live_ bb_test_ cal_live_ cio hzn_ nbp_ fio-u- esecret_ rpa_
llx- qdr_ fo1_ ctp_ sk_example_ lin_oauth_ aio_ akab- fm2_ api_live_ api_test_ vercel_blob_rw_ eyjrijoi atoa
bbdc- vf.dm. bkua_ bkaj_ ccipat_ ccipjt_ dckr_pat_ dckr_oat_ figd_ ya29. gocspx- gsk_ mdb_sa_sk_ nfp_ pypi-agei
pypi-agen sq0csp- sq0idp- whsec_ sbp_ sb_secret_ tskey- xai- sntrys_
""".split()
"""Prefixes, in lower case, of tokens whose rest is random."""
_RANDOM_REST = r"(?=[\w.-]{0,24}[A-Za-z0-9]{14})(?=[\w+/.-]{0,40}\d)(?=[\w+/.-]{0,40}[A-Za-z])[\w+/.-]{14,}"
_SHORT_PREFIXED = "ak- as- co_ fw_ re_ pa- fc- sk_ pk_".split()
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
    r"|pscale_(?:tkn|oauth|pw)_|pnu_|rdme_|sgp_|shippo_(?:live|test)_|tfp_|sm_[aps]at_|duffel_(?:live|test)_|clojars_|ATATT3"
    rf"|AGE-SECRET-KEY-1){_MIXED}[A-Za-z0-9]{{12,}}(?:_[A-Za-z0-9]{{24,}})?"
    r"|(?:github_pat_|gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|imt|oas|ffct)-|hv[sb]\.|SG\.|PMAK-|NRAK-|dp\.pt\.|dt0c01\.|sq0atp-|xkeysib-"
    rf"|pplx-|HRKU-){_MIXED}[\w-]{{12,}}(?:\.[\w-]{{8,}}){{0,2}}"
)
"""Tokens with a vendor's prefix and another length than today's: vendors change it, texts are truncated."""
