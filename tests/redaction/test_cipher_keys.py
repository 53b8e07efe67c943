"""Keys of Spark's ciphers, as SQL and plans of Spark 3.5 and 4.x print them."""

from __future__ import annotations

import pytest

from eventlog_lineage.redaction import without_secrets

KEY = "Zx9Qw7Lk2Vb5Nm8R"
HEX = KEY.encode().hex().upper()

MASKED = [
    ("SELECT base64(aes_encrypt(name, '{}')) FROM users", KEY),
    ("SELECT try_aes_decrypt(unbase64(name), '{}') AS x", KEY),
    ("SELECT aes_decrypt(c, unhex('{}'), 'GCM')", HEX),
    ("SELECT aes_encrypt(c, concat(k, '{}'))", KEY),
    ("'Project ['base64('aes_encrypt('name, {})) AS x#5]", KEY),
    ("'Aggregate ['aes_encrypt('name, {})], ['count(1) AS n#1]", KEY),
    ("'Project ['aes_decrypt('unbase64('name), {}) AS x#27]", f"'unhex({HEX})"),
    ("Project [try_aes_decrypt(unbase64(name#3, false), {}, GCM, DEFAULT, ) AS x#16]", KEY),
    (
        "Arguments: [aes_encrypt(cast(name#0 as binary), {}, ECB, PKCS, cast( as binary))], [x#1]",
        f"cast({KEY} as binary)",
    ),
    ("Project [aes_decrypt(name#3, {}, GCM, DEFAULT, cast( as binary)) AS x#2]", f"unhex({HEX}, false)"),
    ("Keys [1]: [aes_encrypt(name#1, {}, GCM, DEFAULT, , )#5]", "a,b)c(d'e[fg]hij"),
    (
        "[staticinvoke(class o.a.s.ExpressionImplUtils, BinaryType, aesEncrypt, name#3, {}, GCM, DEFAULT, 0x)]",
        f"0x{HEX}",
    ),
    (
        "[static_invoke(ExpressionImplUtils.aesDecrypt(unbase64(name#1, false), {}, GCM, DEFAULT, 0x)) AS x#2]",
        f"0x{HEX}",
    ),
    ("Output [1]: [aes_encrypt(name, {}, GCM, DEFAULT, , )#12]", KEY),
]


@pytest.mark.parametrize(("text", "key"), MASKED)
def test_a_literal_key_is_masked_wherever_spark_prints_it(text: str, key: str) -> None:
    masked = without_secrets(text.format(key))
    assert masked == text.replace("'{}'", "***").format("***")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT aes_encrypt(name, k) FROM t",
        "'Project ['aes_encrypt('name, 'k) AS x#5]",
        "'Project ['aes_decrypt('name, 'unhex('k)) AS x#5]",
        "Project [aes_encrypt(cast(name#3 as binary), cast(k#4 as binary), GCM, DEFAULT) AS x#5]",
        "Output [1]: [aes_encrypt(name, k, GCM, DEFAULT, , )#12]",
    ],
)
def test_a_key_that_is_a_column_is_kept(text: str) -> None:
    assert without_secrets(text) == text
