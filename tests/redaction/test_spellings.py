"""Every spelling of a secret that spellings.txt lists, and thousands of siblings, is masked; harmless.txt stays."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventlog_lineage.redaction import PLAIN, without_inserted_secrets, without_secrets, without_shared_secrets
from support.secret_texts.siblings import siblings
from support.secret_texts.spellings import Spelling, filled, leaks, spellings

SPELLINGS = spellings()

WORDS = [
    "SELECT p FROM (SELECT password AS p FROM u) WHERE p = 'velvetmoon'",
    "WITH c AS (SELECT 'velvetmoon' AS x FROM v) SELECT x AS password FROM c",
    "SELECT id FROM (SELECT 'velvetmoon' AS x, id FROM v) a JOIN u b ON a.x = b.password",
    "SELECT * FROM (SELECT 'velvetmoon' AS a, name AS b FROM u) UNPIVOT (password FOR k IN (a, b))",
    "SELECT id FROM (SELECT named_struct('a', password) AS s FROM u) WHERE s.a = 'velvetmoon'",
    "SELECT id FROM u LATERAL VIEW explode(secrets) AS s WHERE s = 'velvetmoon'",
    "SELECT 'password' AS k, 'velvetmoon' AS v FROM t",
    "SELECT from_csv('1,velvetmoon', 'id INT, password STRING')",
    "'Project ['id, 'password LIKE velvetmoon AS c#119]",
    "+- 'Filter ('p = velvetmoon)\n   +- 'Project ['password AS p#5, 'id]",
    "'Pivot 'password, [velvetmoon, b], ['count('id)]\n+- 'UnresolvedRelation [u], [], false",
    "Project [named_struct(password, velvetmoon) AS s#3]\n== Optimized ==\nProject [[velvetmoon] AS s#3]",
    "Filter (s#5 = velvetmoon)\n+- Generate explode(secrets#30), [id#2], false, [s#5]",
    "Expand [[id#1, a, velvetmoon], [id#1, b, b#4]], [id#1, k#8, password#9]",
    "Project [id#1, velvetmoon AS a#6]\nExpand [[id#1, a, a#6], [id#1, b, b#7]], [id#1, k#8, password#9]",
    "PushedFilters: [EqualTo(name,password), EqualTo(city,velvetmoon)]",
    "CreateViewCommand `v`, [(id,None), (token,None)], SELECT id, 'velvetmoon' FROM t, false, true, LocalTempView",
    "SELECT * FROM (VALUES (1, 'velvetmoon')) AS t (id, password)",
    "SELECT id FROM u JOIN (VALUES ('velvetmoon')) t(x) ON t.x = u.password",
    "(SELECT id, password FROM u) UNION (SELECT 1, 'velvetmoon')",
    "INSERT INTO u (id, password) (SELECT id, 'velvetmoon' FROM s)",
    "INSERT INTO u (id, password) SELECT * FROM (SELECT 1, 'velvetmoon')",
    "SELECT * FROM conf WHERE k IN ('password', 'token') AND v LIKE 'velvetmoon%'",
    "Filter exists(pws#1, lambdafunction((lambda p#2 LIKE velvetmoon%), lambda p#2, false))",
    "db: {user: a, password: green velvetmoon}",
    "REPLACE INTO u (id, password) VALUES (1, 'velvetmoon')",
    "CREATE FUNCTION f(x INT) RETURNS TABLE(password STRING) RETURN SELECT 'velvetmoon'",
    "MERGE INTO u USING (SELECT 'velvetmoon' AS p) s ON a = b WHEN NOT MATCHED THEN INSERT (id, token) VALUES (1, s.p)",
    "WITH t AS (SELECT 'velvetmoon' AS x), s AS (SELECT x AS y FROM t) SELECT y AS password FROM s",
    "SELECT * FROM (SELECT id, upper(password) k FROM u) s WHERE s.k = 'velvetmoon'",
    "SELECT col1 AS id, col2 AS password FROM VALUES (1, 'velvetmoon')",
    "SELECT transform(array('velvetmoon'), x -> named_struct('password', x))",
    "SELECT * FROM u PIVOT (max(secret) FOR app IN ('web', 'ios')) WHERE web = 'velvetmoon'",
    "UPDATE u SET h = transform_values(h, (k, v) -> CASE WHEN k = 'x-api-key' THEN 'velvetmoon' ELSE v END)",
    "SELECT raise_error(concat('password is ', 'velvetmoon'))",
    "SELECT id /* the password for the etl account is velvetmoon */ FROM u",
    "Job description: export with user etl and passwd velvetmoon, then load",
    '{"columns":["user","password"],"data":[["etl","velvetmoon"]]}',
    'spark.createDataFrame([(1, "velvetmoon")], ["id", "password"])',
    '[{"class":"EqualTo"},{"class":"AttributeReference","name":"password"},{"class":"Literal","value":"velvetmoon"}]',
    "Filter In(password, [velvetmoon,b])",
    "SELECT coalesce(token, 'velvetmoon-token') FROM t",
    "CREATE TEMPORARY FUNCTION api_token() RETURNS STRING LANGUAGE SQL RETURN 'velvetmoon-tok'",
    "Functions [1]: [max(if (a#1) velvetmoon else b#2)]\nResults [1]: [max(if (a#1) velvetmoon else b#2)#8 AS token#9]",
    "\\set password velvetmoon",
    "password ~> velvetmoon",
    "please use password velvetmoon until Monday",
    "Filter EqualTo(password,velvetmoon)",
    "Project [my_password(velvetmoon) AS c#3]",
    "AlterColumn resolvedfieldname(password), Some(velvetmoon)",
    "(3) Filter\nCondition : ((levenshtein(password#4, velvetmoon, None) <= 2) AND isnotnull(password#4))",
    "Filter (cast(h#1.x-api-key as string) = velvetmoon)",
    "WITH q(a, b) AS (SELECT id, password FROM u) SELECT a FROM q WHERE b = 'velvetmoon'",
    "SELECT u.id FROM u JOIN s ON u.password = s.k AND s.k <> 'velvetmoon'",
    "SELECT p FROM (SELECT json_tuple(j, 'user', 'password') AS (us, p) FROM u) WHERE p = 'velvetmoon'",
    "SELECT id, k FROM u LATERAL VIEW inline(array(struct('a', concat('velvetmoon', name)))) c AS k, api_key",
    "SELECT password FROM (SELECT upper(z) AS password FROM (SELECT concat('velvetmoon', name) AS z FROM u))",
    "SELECT CASE WHEN password IS NULL THEN 'velvetmoon' END FROM u",
    "INSERT INTO passwords SELECT 'velvetmoon'",
    "INSERT INTO credentials VALUES (1, 'velvetmoon')",
    "PREPARE q AS SELECT * FROM u WHERE secret = $1; EXECUTE q('velvetmoon')",
    'spark.sql("SELECT * FROM u WHERE password = :p", args={"p": "velvetmoon"})',
    "SELECT key FROM u WHERE key IN ('password', 'token') AND startswith(value, 'velvetmoon')",
    "SELECT id, password FROM u LATERAL VIEW explode(array('x', 'my-velvetmoon-geheim')) x AS password",
    "Project [split(pw-A1,velvetmoon, ,, -1) AS secrets#4]",
    "Filter ((id#1 = 5) OR (password#4 = or-and-velvetmoon))",
    "Filter (password#4 = upper(oak and velvetmoon))",
    "+- 'Filter velvetmoon IN ('password, 'token)",
    "DataFilters: [(k#2 = velvetmoon)], PushedFilters: [EqualTo(k,velvetmoon)]\nJoin Inner, (password#1 = k#2)",
    "Filter ((key#1 = token) AND StartsWith(value#2, velvetmoon))",
    "Project [transform_values(m#1, lambdafunction(if ((lambda k#2 = token)) velvetmoon else lambda v#3)) AS z#4]",
    "use velvetmoon as the password",
    "Pass word \u2013 velvetmoon",
    "password changed from velvetmoon to velvetmoon",
    'pw is "a", was "velvetmoon"',
    "la contraseña es velvetmoon",
    "la password di etl è velvetmoon",
    "parola este velvetmoon",
    "password is now velvetmoon",
    "密码是velvetmoon",
    "password changed to velvetmoon.",
    "login with etl:velvetmoon@host",
    "user  password\netl   velvetmoon",
    '<meta content="velvetmoon" name="password">',
    "new password is <b>velvetmoon</b>.",
    "Fix the passwords:\n- velvetmoon",
    "passphrase: >-\n  drizzle copper\n  velvetmoon field\nport: 1",
    "pass phrase is nine crooked velvetmoon (of the tape)",
    "the new pw for the reporting db is velvetmoon! pls dont share",
    "decrypt the files, passphrase is my velvetmoon ate the router",
    "SELECT pgp_sym_decrypt(a, 'velvetmoon key 88') FROM p -- the passphrase is velvetmoon key 88",
    "wallet passphrase below\norbit lemon velvetmoon",
]
"""Statements and lines of plans in which a plain word meets a sensitive name in another place."""


LIKE_OTHERS = [
    ("SELECT id FROM u WHERE pin_code BETWEEN 4711 AND 4799", "4711"),
    ("INSERT INTO pos (id, operator_pin, shop) VALUES (1, 6182, 'Graz')", "6182"),
    ("your code is 445566, pin 7788", "7788"),
    ("SELECT id, greatest(pin, 1357) AS pin FROM locker", "1357"),
    ("SELECT aggregate(passwords, 0, (n, p) -> n + if(p = 'Secret.Garden', 1, 0)) AS n FROM u", "Garden"),
    ("Arguments: [(password#2 = Sort_Of_Secret) DESC NULLS LAST, uid#1 ASC NULLS FIRST], true, 0", "Sort_Of"),
    ("SELECT id FROM u WHERE trim(password) = 'my_db_pw_77'", "my_db"),
    ("Filter (lower(pwd#2) IN (passwort1,hallo123))", "passwort1"),
    ("user,password\netl,Passw0rd!", "Passw0rd"),
    ("the password is aB3/dE6+gH9=", "gH9"),
    ("the password for etl is blue.tractor.88", "tractor"),
    ("username etl password Pflaumen.Mus", "Pflaumen"),
    ("Condition : RLIKE(password#1, ^Zebra[0-9]{3}$)", "Zebra"),
    ("LocalRelation [id#1, password#2], [[1,green,hat]]", "green"),
    ("UPDATE d SET wlan_key = 'Elbe-Alster-42'", "Alster"),
    ("<pwd>X&lt;M&gt;L-Pass</pwd>", "L-Pass"),
    ('connectionString="Server=s;Password=Web&amp;Config;"', "Config"),
    ("SELECT * FROM u WHERE array_contains(array('First_pw', 'x'), password)", "First_pw"),
    ("SELECT * FROM u WHERE password IN ('First_pw', 'x')", "First_pw"),
    ("SELECT decode(env, 'prd', 'Pr0d-Kennwort') AS db_password FROM envs", "Pr0d-Kennwort"),
    ("INSERT INTO u (id, user_pass) SELECT id, nvl(pw, 'St4rtpass') FROM i", "St4rtpass"),
    ("Filter (a#1 = b AND passwd#8 = Whimbrel?1)", "***1"),
    ("Project [regexp_replace(token#1, tk-91-[a-z]+, , 1) AS token#4, src#2]", "tk-91"),
    ("MergeRows\nArguments: matched instructions: [Keep((pw#5 = a b), [id#2, Ab Cd])], [id#1, pw#3]", "Cd"),
    ("PIN code 5709 for the terminal 12", "5709"),
    ("Il codice segreto è 7719", "7719"),
    ("логин etl, пароль Берёза-17, сервер pg1", "Берёза"),
    ("verification code: 447193", "447193"),
    ("||host||passwd||\n|c1|Zither.Dither|", "Dither"),
    ("the secret of app 12 changed from Maraca.Rack to Cymbal.Thimble", "Thimble"),
    ("Cannot resolve column `Theremin.9` given password = Theremin.9 in crm.login", "Theremin"),
    ("[h1,MIIEowIBAAKCAQEAhMAKe3mw2wLTOwHvMtkHcsJroDbU23]", "MIIE"),
    ("az repos PAT m60z2wce7ejhrae5o7z1fgme0b26uowcc5fpde9wtn04778672er for dev.azure.com", "m60z2"),
    ("aiven pg AVNS_uWGGtjDtaSFAYJqNmeJ", "uWGG"),
]
"""Texts with secrets that are like a name, a number or a pattern, and a part of each."""


@pytest.mark.parametrize(("text", "secret"), LIKE_OTHERS)
def test_a_secret_that_is_like_a_name_or_a_number_is_masked(text: str, secret: str) -> None:
    assert secret not in without_secrets(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Filter (substring(card_pin#5, 1, 2) = 47)", "Filter (substring(card_pin#5, 1, 2) = ***)"),
        ("Filter (cvv#4 IN (317,842) AND (shop#2 = 15))", "Filter (cvv#4 IN (***,***) AND (shop#2 = 15))"),
        ("WHERE cvv IN (317, '42') AND left(puk, 2) = 12", "WHERE cvv IN (***, ***) AND left(puk, 2) = ***"),
        ("WHERE secret = 'ab' || x || lower('7')", "WHERE secret = *** || x || lower(***)"),
        ("Filter (length(pin#4) > 12)", "Filter (length(pin#4) > 12)"),
        (
            "SELECT round(pin / 100, 2) FROM t HAVING count(pin) > 10",
            "SELECT round(pin / 100, 2) FROM t HAVING count(pin) > 10",
        ),
        ("Filter ((pin#4 = 0) OR (otp#5 = 1))", "Filter ((pin#4 = 0) OR (otp#5 = 1))"),
    ],
)
def test_a_short_number_is_the_secret_of_a_code_or_a_part_of_one(text: str, expected: str) -> None:
    assert without_secrets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WHERE (login, password) = ('carla', 'W.Mill')", "WHERE (login, password) = ('carla', ***)"),
        ("WHERE (a, pwd) IN (('b', 'X.Yz'), ('c', 'Vw.U'))", "WHERE (a, pwd) IN (('b', ***), ('c', ***))"),
        ("UPDATE c SET (u, api_key) = ('loader', 'Ab.Cd') WHERE", "UPDATE c SET (u, api_key) = ('loader', ***) WHERE"),
        ("WHERE (a, pwd) = (lower('b'), 'X.Yz')", "WHERE (a, pwd) = (lower(***), ***)"),
    ],
)
def test_a_tuple_keeps_what_other_columns_are_compared_with(text: str, expected: str) -> None:
    assert without_secrets(text) == expected


STRUCTURE = [
    "PushedFilters: [IsNotNull(cvv)]\nReadSchema: struct<id:bigint,cvv:int>\n\n(15) Filter\nInput [1]: [cvv#1]",
    "ColumnImpl(id,LongType,true,null), ColumnImpl(client_secret,StringType,true,null)",
    "Scan orc [pw#5] DataFilters: [isnotnull(c#535..., Location: InMemoryFileIndex[file:/w], Schema: struct<pw:int>",
    "explode(array(struct(order_id, order_id#1, secret, secret#2))) AS p#3\nProject [p#3.order_id AS order_id#4]",
    "IcebergStagedScan(table=ice.sales.tokens, taskSetID=1)",
    "Aggregate [k#1], [collect_list(named_struct(room, room#2, password1, nights#3), 0, 0) AS stays#4]",
    "Union\n:- Project [password#1]\n+- Project [phone#2 AS phone#3, contact#4.phone AS phone#5]",
    "Input [2]: [sum(CAST(apikey AS DOUBLE))#1, _groupingexpression#2]",
]
"""Lines of plans with the names of columns and tables, all of which the lineage needs."""


@pytest.mark.parametrize("text", STRUCTURE)
def test_the_names_of_a_plan_stay(text: str) -> None:
    assert without_secrets(text) == text


@pytest.mark.parametrize("text", WORDS)
def test_a_plain_word_that_meets_a_sensitive_name_elsewhere_is_masked(text: str) -> None:
    masked = without_secrets(text)
    assert "velvetmoon" not in masked
    assert re.findall(r"\w+#\d+", masked) == re.findall(r"\w+#\d+", text)


AT_THE_END = {
    *("quote-cut", "quote-json-cut", "value-space-at-end", "sql-set", "sql-set-spaces", "name-yaml-list"),
    *("table-csv", "table-csv-semicolon", "table-csv-quoted", "table-tsv", "table-markdown", "table-ascii"),
}
"""Spellings that nothing ends but the end of the text, and tables, whose lines are their own."""

HARMLESS = [
    filled(line)
    for line in Path(__file__).with_name("harmless.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("# ")
]


MEETINGS = spellings(Path(__file__).with_name("meetings.txt"))


@pytest.mark.parametrize(
    "around", ["{}", "nightly load {}, 3 rows", "-- {}\nSELECT 1", "SELECT a FROM t /* {} */ WHERE b"]
)
def test_a_literal_that_meets_a_sensitive_name_is_masked(around: str) -> None:
    assert len(MEETINGS) >= 30
    for spelling in MEETINGS:
        masked = without_secrets(around.format(spelling.text))
        assert not leaks(masked), masked
        assert without_secrets(masked) == masked


def test_what_a_regular_expression_finds_after_a_sensitive_name_is_masked() -> None:
    masked = without_secrets("Filter (regexp_extract(name#1, password=(.*), 1) = abcdef)")
    assert masked == without_secrets(masked) == "Filter (regexp_extract(name#1, password=***), 1) = ***)"


def test_the_id_of_an_attribute_named_by_a_comparison_stays() -> None:
    masked = without_secrets("Input [2]: [(spark_catalog.db.users.password = 'abcd')#11, (id = 2)#12]")
    assert masked == "Input [2]: [(spark_catalog.db.users.password = ***)#11, (id = 2)#12]"


def test_a_hexadecimal_number_is_a_literal() -> None:
    assert without_secrets("SELECT 0x71957FFE AS token, 0x01 AS a") == "SELECT *** AS token, 0x01 AS a"


FURTHER = [
    *spellings(Path(__file__).with_name("further_spellings.txt")),
    *spellings(Path(__file__).with_name("held_out_spellings.txt")),
]
HARMLESS_NAMES = Path(__file__).with_name("harmless_names.txt").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("around", ["{}", "-- {}\nSELECT 1"])
def test_a_further_spelling_is_masked(around: str) -> None:
    assert len(FURTHER) >= 400
    for spelling in FURTHER:
        masked = without_secrets(around.format(spelling.text))
        assert not leaks(masked), masked
        assert without_secrets(masked) == masked


PLANS = [
    "+- Filter ((name#48 = {0}) OR name#48 LIKE concat(a: , {0}))\n   +- Relation t[id#47,name#48] parquet",
    "(2) Filter\nInput [2]: [id#47, name#48]\nPushedFilters: [Or(EqualTo(name,{0}),EqualTo(name,a: {0}))]",
    "Output [1]: [CASE WHEN (id#47 > 1) THEN concat(name#48, {0}) ELSE name#48 END AS n#53]\nInput [1]: [name#48]",
    "+- Project [array({0}, name#48) AS a#54, named_struct(x, {0}, y, name#48) AS s#55]",
    "+- Project [id#47, cast({0} as string) AS note#69]",
    "Arguments: file:/w/parts, [note={0}], false, [note#68], Parquet, [path=file:/w/parts], Append, [id, note]",
]
"""Lines of plans with a literal or an option, as Spark 4.3 prints them."""
LEFT_IN_PLANS = 292
"""Of 16,350 texts: 1.8 %, mostly tables and documents of several lines."""


def test_of_all_spellings_in_literals_of_plans_no_more_leak() -> None:
    """A table, a document or a statement in a literal has no lines of its own: `scripts/attack/plant_secrets.py`."""
    texts = [(plan, each.name, plan.format(each.text)) for plan in PLANS for each in (*SPELLINGS, *FURTHER)]
    left = [(plan, name) for plan, name, text in texts if leaks(without_secrets(text))]
    assert len(texts) > 16_000
    assert len(left) <= LEFT_IN_PLANS, left


def test_keys_of_a_join_within_a_literal_are_no_error() -> None:
    text = "+- Filter (name#48 = Left keys [1]: [token#1]\nRight keys [1]: [k#2])\n"
    assert without_secrets(text) == text


@pytest.mark.parametrize("name", HARMLESS_NAMES)
def test_a_value_under_a_harmless_name_stays(name: str) -> None:
    for text in (
        f"{name} = 'abcdef'",
        f"SELECT 'abcdef' AS {name} FROM t WHERE lower({name}) IN ('abcdef', 'ghijkl')",
        f"Filter (isnotnull({name}#5) AND ({name}#5 = abcdef))",
        f'{{"{name}": "abcdef"}}',
        f"[a=b, {name}=abcdef]",
    ):
        assert without_secrets(text) == text


@pytest.mark.parametrize(
    ("statement", "masked"),
    [
        ("INSERT INTO u2 VALUES (1, 'abcdef')", "INSERT INTO u2 VALUES (1, ***)"),
        ("INSERT INTO u2 SELECT 7, concat('abcdef', n) FROM t", "INSERT INTO u2 SELECT 7, concat(***, n) FROM t"),
        ("INSERT OVERWRITE TABLE u2 SELECT id, 'abcdef' FROM t", "INSERT OVERWRITE TABLE u2 SELECT id, *** FROM t"),
        (
            "EXECUTE IMMEDIATE 'INSERT INTO u2 VALUES (?, ?)' USING 1, 'abcdef'",
            "EXECUTE IMMEDIATE 'INSERT INTO u2 VALUES (?, ?)' USING 1, ***",
        ),
        ("INSERT INTO u2 (password, id) VALUES ('abcdef', 1)", "INSERT INTO u2 (password, id) VALUES ('abcdef', 1)"),
    ],
)
def test_an_insert_without_columns_has_those_of_its_plan(statement: str, masked: str) -> None:
    plan = "Execute InsertIntoHadoopFsRelationCommand file:/u2, false, Parquet, [path=file:/u2], Append, [id, password]"
    assert without_inserted_secrets(statement, plan) == masked
    assert without_inserted_secrets(statement, plan.replace("password", "city")) == statement


SHARED = [
    (
        "SELECT exists(tokens, t -> t = 'ab1cd') AS f FROM (SELECT arr AS tokens FROM u)",
        "Output [1]: [exists(arr#5, lambdafunction((lambda t#6 = ab1cd), lambda t#6, false)) AS f#7]",
    ),
    (
        "SELECT forall(tokens, t -> t LIKE 'ab1cd%') AS f FROM (SELECT arr AS tokens FROM u)",
        "Output [1]: [forall(arr#5, lambdafunction(StartsWith(lambda t#6, ab1cd), lambda t#6, false)) AS f#7]",
    ),
    (
        "SELECT array_contains(passwords, 'ab1cd') FROM (SELECT arr AS passwords FROM u)",
        "Project [array_contains(arr#5, ab1cd) AS array_contains(passwords, ab1cd)#7]",
    ),
    ("SELECT id FROM v WHERE p = 'ab1cd' AND c = 'Rome'", "Filter ((c#1 = Rome) AND (password#2 = ab1cd))"),
    ("SELECT id FROM v WHERE token IN ('ab1cd', 'hunter')", "Filter x#1 IN (ab1cd,hunter)"),
    ("SELECT id FROM v WHERE token = '1234567'", "Filter (x#1 = 1234567)"),
]
"""Statements and plans with a secret that only one of both names."""


@pytest.mark.parametrize(("statement", "plan"), SHARED)
def test_a_literal_that_one_text_of_an_execution_shows_to_be_a_secret_is_masked_in_both(
    statement: str, plan: str
) -> None:
    shared = without_shared_secrets(statement, plan)
    for text, masked in zip((statement, plan), map(without_secrets, shared), strict=True):
        assert "***" in masked
        assert not {"ab1cd", "hunter", "1234567"} & set(re.findall(r"\w+", masked)), masked
        assert re.findall(r"\w+#\d+|\w+\(|Rome", masked) == re.findall(r"\w+#\d+|\w+\(|Rome", text)


def test_a_literal_that_is_masked_by_the_statement_is_masked_as_the_name_of_its_column_too() -> None:
    statement = "SELECT name AS password FROM u UNION SELECT 'ab1cd2' UNION SELECT city FROM u WHERE name = my_token"
    plan = "Project [name#1 AS password#2]\nProject [ab1cd2 AS ab1cd2#3]\nFilter (name#1 = efghij)"
    masked = [without_secrets(text) for text in without_shared_secrets(statement, plan)]
    assert "ab1cd2" not in " ".join(masked)
    harmless = "SELECT name AS password FROM u", "Project [name#1 AS password#2]\nFilter (name#1 = Robert)"
    assert without_shared_secrets(*harmless) == harmless


@pytest.mark.parametrize(
    ("statement", "plan"),
    [
        ("SELECT id, get_password(id) AS c FROM u", "Project [id#1, concat(ab1cd, cast(id#1 as string)) AS c#2]"),
        ("SELECT id, creds['password'] AS c FROM u", "Output [2]: [id#1, ab1cd AS c#2]"),
        ("SELECT id FROM u WHERE check_password(name)", "Filter (isnotnull(name#2) AND (name#2 = ab1cd))"),
        ("SELECT id FROM u WHERE name = my_token", "Filter (isnotnull(name#2) AND (name#2 = ab1cd))"),
    ],
)
def test_what_a_function_or_a_variable_with_a_sensitive_name_holds_is_masked_in_the_plan(
    statement: str, plan: str
) -> None:
    assert without_shared_secrets(statement, plan) == (statement, plan.replace("ab1cd", "***"))
    harmless = statement.replace("password", "city").replace("creds", "cities").replace("my_token", "my_city")
    assert without_shared_secrets(harmless, plan) == (harmless, plan)


@pytest.mark.parametrize(
    ("statement", "plan"),
    [
        ("SELECT user_1 FROM t WHERE token = 'user_1'", "Project [user_1#5]"),
        ("SELECT * FROM v WHERE token = 'user_1'", "Project [user_1#5, upper(user_1#5) AS c#6]"),
        ("SELECT * FROM v WHERE token = 'day1'", "Scan orc db.day1[id#1] Location: InMemoryFileIndex [file:/w/day1/x]"),
        ("SELECT * FROM v WHERE token = 'parquet'", "FileScan parquet [id#1] Batched: true, Format: Parquet"),
        ("SELECT * FROM v WHERE token = 'city'", "Project [upper(city#5) AS c#6], PushedFilters: [IsNotNull(city)]"),
        ("SELECT * FROM v WHERE token = '1234'", "Exchange hashpartitioning(id#1234, 200), [plan_id=12345]"),
        ("SELECT * FROM t WHERE name = 'ab1cd'", "Filter (name#5 = ab1cd)"),
        ("SELECT token FROM t WHERE name = 'ab1cd'", "Filter (isnotnull(token#4) AND (name#5 = ab1cd))"),
    ],
)
def test_names_and_paths_that_look_like_a_secret_of_a_statement_stay_in_its_plan(statement: str, plan: str) -> None:
    assert without_shared_secrets(statement, plan) == (statement, plan)


def test_there_are_at_least_two_hundred_spellings_of_different_names() -> None:
    assert len({spelling.name for spelling in SPELLINGS}) == len(SPELLINGS) >= 200
    assert [spelling.name for spelling in SPELLINGS if not leaks(spelling.text)] == []


@pytest.mark.parametrize("spelling", SPELLINGS, ids=lambda spelling: spelling.name)
def test_no_part_of_a_spelling_is_left(spelling: Spelling) -> None:
    masked = without_secrets(spelling.text)
    assert not leaks(masked), masked
    assert "***" in masked
    assert without_secrets(masked) == masked


@pytest.mark.parametrize(
    "around",
    [
        "nightly load {}, 3 rows",
        "SELECT a FROM t /* {} */ WHERE b",
        "Project [id#1, {} AS note#2, name#3]",
        "-- {}\nSELECT 1",
    ],
)
def test_what_stands_around_a_spelling_is_kept(around: str) -> None:
    before, after = around.split("{}")
    for spelling in SPELLINGS:
        if spelling.name not in AT_THE_END:
            masked = without_secrets(before + spelling.text + after)
            assert not leaks(masked), masked
            assert masked.startswith(before), masked
            assert masked.endswith(after), masked


def test_a_spelling_within_a_quoted_literal_is_masked_and_the_statement_kept() -> None:
    for spelling in SPELLINGS:
        if spelling.name not in AT_THE_END:
            literal = spelling.text.replace("\\", "\\\\").replace("'", "\\'")
            masked = without_secrets(f"SELECT '{literal}' AS note, 'x' AS y")
            assert not leaks(masked), masked
            assert masked.startswith("SELECT "), masked
            assert masked.endswith("AS note, 'x' AS y"), masked


def test_siblings_of_the_spellings_are_masked() -> None:
    seen = 0
    for name, text in siblings():
        masked = without_secrets(text)
        assert not leaks(masked), (name, text, masked)
        assert without_secrets(masked) == masked
        seen += 1
    assert seen > 7_000


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_text_stays(text: str) -> None:
    assert without_secrets(text) == text


PIECES = st.sampled_from(
    [piece for spelling in SPELLINGS for piece in re.findall(r"\w+|\W", spelling.text) if len(piece) < 40]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_redacting_pieces_of_spellings_twice_changes_nothing_more(text: str) -> None:
    masked = without_secrets(text)
    assert without_secrets(masked) == masked


REPEATED = [
    *(
        "password=",
        "password='",
        'password="',
        "password=[",
        "password=(",
        "password in (",
        "password -> a ",
        "[password=a, ",
    ),
    *(
        "password: |\n ",
        "password#1 = ",
        "a AS password#1, ",
        "' AS password",
        "keys: [password], values: [",
        "<password ",
    ),
    *(
        "://",
        "://a:b",
        "s3://a:b",
        "@",
        "a:b@",
        "%3A%2F%2Fa%3A",
        "\\",
        '\\"password\\":\\"',
        "IDENTIFIED BY ",
        "OPTIONS (key ",
    ),
    *(
        "(password) VALUES ('a',",
        "aes_encrypt(",
        "-----BEGIN PRIVATE KEY-----\n",
        " -px1y2",
        "mysql -p ",
        "Bearer ",
        "token ",
    ),
    *(
        "Authorization: Digest a=b,",
        "Cookie: a=b;",
        "Pwd=a b",
        "login a password ",
        "ops_eyJ",
        "-eyJa1B2",
        "t1.",
        "glpat-",
        " -u a -p b1",
        "password=%s 'x' ",
        "token, a, b ",
        "login('a','b') ",
    ),
]


@pytest.mark.slow
def test_a_long_plan_is_searched_too() -> None:
    lines = (f"+- Project [id#{i}, velvetmoon AS token#{i + 1_000_000}]" for i in range(10_000))
    plan = "\n".join(lines)
    assert 400_000 < len(plan) < 1_000_000
    assert "velvetmoon" not in without_secrets(plan)


def test_the_columns_of_an_insert_take_linear_time_whatever_their_names_are() -> None:
    columns = ", ".join(f"c{number}{'x' * 20_000}" for number in range(20))
    started = time.process_time()
    assert without_inserted_secrets("INSERT INTO t VALUES (1, 'abcdef')", f"AppendData [{columns}") == (
        "INSERT INTO t VALUES (1, 'abcdef')"
    )
    assert time.process_time() - started < 2


@pytest.mark.parametrize("piece", REPEATED)
def test_twice_the_text_takes_twice_the_time(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        started = time.process_time()
        without_secrets(text)
        return time.process_time() - started

    assert any(seconds(40_000) < 8 * seconds(10_000) + 0.1 for _ in range(3))  # a busy machine may interrupt one


@pytest.mark.slow
@pytest.mark.parametrize("literal", ["ab{}cd", "ab {}cd", "{}", "abcd"])
@pytest.mark.parametrize("column", ["token", "name"])
def test_twice_the_literals_of_a_statement_take_twice_the_time(literal: str, column: str) -> None:
    def seconds(size: int) -> float:
        literals = [literal.format(100_000 + number) for number in range(size)]
        statement = f"SELECT id FROM u WHERE {column} IN ('" + "','".join(literals) + "')"
        plan = f"Filter x#1 IN ({','.join(literals)})"
        started = time.process_time()
        without_shared_secrets(statement, plan)
        return time.process_time() - started

    assert any(seconds(6_000) < 8 * seconds(1_500) + 0.1 for _ in range(3))


def test_a_masked_text_is_remembered_and_given_again() -> None:
    assert PLAIN.text("password=x7Qz") is PLAIN.text("password=x7Qz")
