"""Rules for tokens that gitleaks does not find, or only after the vendor's name."""

from __future__ import annotations

import re

OWN_RULES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "aws-key-pair",
        ("akia", "asia"),
        r"(?:AKIA|ASIA)[0-9A-Z]{16}(?:\\{0,8}[\"']?\s{0,3}[,:;/|]\s{0,3}\\{0,8}[\"']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?",
    ),
    ("azure-client-secret", ("q~",), r"\w{3}\dQ~[\w~.-]{31,40}"),
    ("buildkite", ("bkua_", "bkaj_"), r"bk(?:ua|aj)_[0-9a-f]{20,}"),
    (
        "crypt",
        ("$1$", "$5$", "$6$", "$y$", "$apr1$", "$2a$", "$2b$", "$2y$", "$argon2"),
        r"\$(?:1|5|6|y|apr1|2[aby]|argon2\w{1,2})\$[\w./$=,+-]{20,250}",
    ),
    ("circleci", ("ccipat_", "ccipjt_"), r"CCIP[AJ]T_[\w-]{20,}"),
    ("confluent", ("cflt",), r"cflt[A-Za-z0-9+/]{40,}"),
    ("databricks", ("dapi", "dkea", "dose", "ddba", "dsap"), r"d(?:api|kea|ose|dba|sap)[0-9a-f]{32}(?:-\d{1,2})?"),
    ("docker", ("dckr_pat_", "dckr_oat_"), r"dckr_[po]at_[\w-]{20,}"),
    ("figma", ("figd_",), r"figd_[\w-]{20,}"),
    (
        "gitlab",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-"),
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{20,300}(?:\.[0-9a-z]{2}\.?[0-9A-Za-z]{7,9})?",
    ),
    ("google-refresh", ("1//0",), r"1//0[\w-]{20,}"),
    ("google-access", ("ya29.",), r"ya29\.[\w.-]{20,}"),
    ("google-client", ("gocspx-",), r"GOCSPX-[\w-]{20,}"),
    ("groq", ("gsk_",), r"gsk_[A-Za-z0-9]{20,}"),
    ("huggingface", ("hf_",), r"hf_[A-Za-z0-9]{30,}"),
    ("snyk", ("snyk_uat.",), r"snyk_uat\.[\w-]{4,64}\.[\w.-]{20,}"),
    ("jwt", ("eyj",), r"(?<![\w-])eyJ[\w-]{13,}\.[\w-]{8,}(?:\.[\w-]*)?"),
    ("mailchimp", ("-us",), r"[0-9a-f]{32}-us\d{1,2}"),
    ("maxmind", ("_mmk",), r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    ("mongodb-atlas", ("mdb_sa_sk_",), r"mdb_sa_sk_[\w-]{20,}"),
    ("netlify", ("nfp_",), r"nfp_[A-Za-z0-9]{30,}"),
    ("openai", ("sk-",), r"sk-(?=[\w-]{0,64}\d)[\w-]{20,}"),
    ("pypi", ("pypi-agei", "pypi-agen"), r"pypi-Ag[eE][IN][\w-]{20,}"),
    ("replicate", ("r8_",), r"r8_[A-Za-z0-9]{30,}"),
    ("slack", ("xox", "xapp-"), r"(?:xox[a-z](?:\.xox[bp])?|xapp)-[A-Za-z0-9-]{12,}"),
    ("square", ("sq0csp-", "sq0idp-"), r"sq0(?:csp|idp)-[\w-]{22,}"),
    ("stripe-webhook", ("whsec_",), r"whsec_[A-Za-z0-9]{20,}"),
    ("supabase", ("sbp_", "sb_secret_"), r"sb(?:p|_secret)_[\w-]{20,}"),
    ("tailscale", ("tskey-",), r"tskey-[a-z]{2,16}-[\w-]{16,}"),
    ("telegram", (":aa",), r"\d{8,10}:AA[\w-]{33}"),
    ("terraform-cloud", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    ("twilio", tuple(f"sk{digit}" for digit in "0123456789abcdef"), r"SK[0-9a-fA-F]{32}"),
    ("vault-legacy", ("s.",), r"s\.(?=[A-Za-z0-9]{0,23}\d)(?=[A-Za-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\w.])"),
    ("xai", ("xai-",), r"xai-[A-Za-z0-9]{40,}"),
)
"""Rule, the literals of which one is in a token (in lower case), the token as a regular expression."""

_PREFIXED = """
nvapi- lsv2_pt_ lsv2_sk_ pcsk_ hrku- tgp_v1_ tvly- wandb_v1_ phc_ phx_ phs_ phr_ ddapp_ ddapi_ hcaik_ hcxik_ hcbik_
napi_ vcp_ vck_ vca_ vci_ vcr_ cfut_ cfat_ cfk_ rnd_ cfpat- dp.st. dp.sa. dp.scim. dp.audit. dp.ct. essu_ dbtc_ dbtu_
pnb_ api_org_ oy2 atbb flwseck- flwseck_test- squ_ sqp_ sqa_ csk- jina_ e2b_ apify_api_ rzp_live_
rzp_test_ secret-live- secret-test- gta_ chpt_ atta akid y0_ y1_ ops_eyj nrii- nrra- nral- nrbr- xata_ ntn_ sntryc_
sntryi_ hvr. bkct_ psk_live_ psk_test_ xsmtpsib- mlsn. bb_live_ bb_test_ cal_live_ cio hzn_ nbp_ fio-u- esecret_ rpa_
llx- qdr_ fo1_ ctp_ sk_example_ lin_oauth_ aio_ akab-
""".split()
"""Prefixes, in lower case, of tokens whose rest is random."""
_RANDOM_REST = r"(?=[\w.-]{0,24}[A-Za-z0-9]{14})(?=[\w+/.-]{0,40}\d)(?=[\w+/.-]{0,40}[A-Za-z])[\w+/.-]{14,}"
_SHORT_PREFIXED = "ak- as- co_ fw_ re_ pa- fc- sk_ pk_".split()
"""Prefixes that begin words as well: the rest has lower case, upper case and digits."""
_MIXED_REST = r"(?=[\w-]{0,24}\d)(?=[\w-]{0,24}[a-z])(?=[\w-]{0,24}[A-Z])[A-Za-z0-9_-]{20,}"

FURTHER_RULES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    *((prefix, (prefix,), rf"(?i:{re.escape(prefix)}){_RANDOM_REST}") for prefix in _PREFIXED),
    *((prefix, (prefix,), rf"{re.escape(prefix)}{_MIXED_REST}") for prefix in _SHORT_PREFIXED),
    (
        "aws-session",
        ("iqojb3jpz2lu", "fwogzxivyxdz", "fqogzxivyxdz"),
        r"(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)[\w+/=%-]{40,}",
    ),
    ("azure-devops", ("azdo",), r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    ("azure-identifiable", ("jqqj99",), r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{10,40}"),
    (
        "azure-keys",
        ("azfu", "azse", "azca", "aiot", "acdb"),
        r"[A-Za-z0-9]{33,76}(?:AzFu|AzSe|AzCa|AIoT|ACDb)[A-Za-z0-9]{4,8}",
    ),
    (
        "hubspot",
        ("pat-na", "pat-eu", "pat-ap"),
        r"pat-(?:na|eu|ap)\d-[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
    ),
    ("dropbox", ("sl.",), r"sl\.(?:u\.)?[\w-]{60,}"),
    ("heroku-uuid", ("hrku-",), r"HRKU-[0-9a-fA-F-]{36}"),
    ("twitter-app", ("aaaaaaaaaaaaaaaaaaaa",), r"A{20,}[\w%-]{30,}"),
    ("facebook", ("eaa",), r"EAA[A-Za-z0-9]{80,}"),
    (
        "stripe-long",
        ("ek_live_", "ek_test_", "sk_live_", "sk_test_", "rk_live_", "rk_test_"),
        r"[ers]k_(?:live|test)_[A-Za-z0-9]{16,250}",
    ),
    ("notion-secret", ("secret_",), r"secret_[A-Za-z0-9]{43}"),
    ("launchdarkly", ("sdk-", "mob-", "api-"), r"(?:sdk|mob|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ("bitbucket-pipelines", ("atctt3",), r"ATCTT3[\w-]{20,}(?:=[0-9A-F]{8})?"),
    ("elevenlabs", ("sk_",), r"sk_[0-9a-f]{40,}"),
    ("dynatrace-further", ("dt0s",), r"dt0s\d\d\.[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{64}"),
    ("intercom", ("dg9roj",), r"dG9rO[\w+/]{40,}={0,2}"),
    ("new-relic-ingest", ("ffffnral",), r"[0-9a-f]{36}FFFFNRAL"),
    ("yandex-access", ("ycaje",), r"YCAJE[\w-]{20}"),
    ("firecrawl", ("fc-",), r"fc-[0-9a-f]{32}"),
)
"""Like `OWN_RULES`; prefixes as their vendors document them, 2026."""

_MIXED = r"(?=[\w.-]{0,32}\d)(?=[\w.-]{0,32}[A-Za-z])"
SHORTER = re.compile(
    r"(?:gh[pousr]_|npm_|do[por]_v1_|shp(?:at|ca|pa|ss)_|[rs]k_(?:live|test|prod)_|rubygems_|lin_api_|ntn_|glsa_|glc_|sntry[su]_"
    r"|pscale_(?:tkn|oauth|pw)_|pnu_|rdme_|sgp_|shippo_(?:live|test)_|tfp_|sm_[aps]at_|duffel_(?:live|test)_|clojars_|ATATT3"
    rf"|AGE-SECRET-KEY-1){_MIXED}[A-Za-z0-9]{{12,}}(?:_[A-Za-z0-9]{{24,}})?"
    r"|(?:github_pat_|gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|imt|oas|ffct)-|hv[sb]\.|SG\.|PMAK-|NRAK-|dp\.pt\.|dt0c01\.|sq0atp-|xkeysib-"
    rf"|pplx-|HRKU-){_MIXED}[\w-]{{12,}}(?:\.[\w-]{{8,}}){{0,2}}"
)
"""Tokens with a vendor's prefix and another length than today's: vendors change it, texts are truncated."""
