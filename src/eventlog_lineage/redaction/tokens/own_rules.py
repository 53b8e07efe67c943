"""Rules for tokens that gitleaks does not find, or only after the vendor's name."""

from __future__ import annotations

import re

OWN_RULES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "aws-key-pair",
        ("akia", "asia"),
        r"(?:AKIA|ASIA)[0-9A-Z]{16}(?:\\{0,8}[\"']?\s{0,3}[,:;/|]\s{0,3}\\{0,8}[\"']?[A-Za-z0-9/+=]{40})?",
    ),
    ("azure-client-secret", ("q~",), r"\w{3}\dQ~[\w~.-]{31,40}"),
    ("buildkite", ("bkua_", "bkaj_"), r"bk(?:ua|aj)_[0-9a-f]{20,}"),
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

_MIXED = r"(?=[\w.-]{0,32}\d)(?=[\w.-]{0,32}[A-Za-z])"
SHORTER = re.compile(
    r"(?:gh[pousr]_|npm_|do[por]_v1_|shp(?:at|ca|pa|ss)_|[rs]k_(?:live|test|prod)_|rubygems_|lin_api_|ntn_|glsa_|glc_|sntry[su]_"
    r"|pscale_(?:tkn|oauth|pw)_|pnu_|rdme_|sgp_|shippo_(?:live|test)_|tfp_|sm_[aps]at_|duffel_(?:live|test)_|clojars_|ATATT3"
    rf"|AGE-SECRET-KEY-1){_MIXED}[A-Za-z0-9]{{12,}}"
    r"|(?:github_pat_|gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|imt|oas|ffct)-|hv[sb]\.|SG\.|PMAK-|NRAK-|dp\.pt\.|dt0c01\.|sq0atp-|xkeysib-"
    rf"|pplx-|HRKU-){_MIXED}[\w-]{{12,}}(?:\.[\w-]{{8,}}){{0,2}}"
)
"""Tokens with a vendor's prefix and another length than today's: vendors change it, texts are truncated."""
