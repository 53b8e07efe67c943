"""Siblings of the spellings, made by the thousand: names, what separates them from values, quotes, what values hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

SECRET = "x7Qzx7Qz"

NAMES = (
    "password passwd Pwd pw PW pass PASS pswd passphrase pass_phrase passcode userPassword user_password USER_PASSWORD"
    " sfPassword sfPass DB_PASS db.pass dbpass rootpw ftpPw es.net.http.auth.pass PGPASSWORD password2"
    " javax.net.ssl.keyStorePassword secret clientSecret client_secret CLIENT_SECRET app.secret secretKey secret-key"
    " token access_token accessToken ACCESS_TOKEN refreshToken sasToken id_token apiKey api_key API_KEY api-key"
    " x-api-key apikey APIKEY app_key accessKey access.key aws_access_key AccountKey account_key storageKey privateKey"
    " private_key encryption.key master_key signingKey sharedAccessKey license_key credential credentials"
    " aws.credentials creds auth authorization oauth2 proxyAuth signature sig sas pin cardPin PIN otp jwt cookie"
    " session_cookie JSESSIONID ssh_key tls.key spark.hadoop.fs.s3a.secret.key"
    " fs.azure.account.key.acct.dfs.core.windows.net"
).split()

BARE = (
    "{n}={v}",
    "{n}={v} next",
    "{n} = {v}",
    "{n}:={v}",
    "{n}=>{v}",
    "{n} => {v}",
    "{n} -> {v}",
    "{n}: {v}",
    "{n}:{v}",
    "{n}\t{v}",
    "--{n} {v} --next",
    "--{n}={v} --next",
    "-D{n}={v}",
    "export {n}={v}",
    "https://example.com/?a=b&{n}={v}&x=1",
    "jdbc:x://h;user=u;{n}={v};x=1",
    "a%3Db%26{n}%3D{v}%26x%3D1",
    "a%3db%26{n}%3d{v}%26x%3d1",
    "[a=b, {n}={v}, x=1]",
    "Map(a -> b, {n} -> {v}, x -> 1)",
    "{{a=b, {n}={v}}}",
    "List((a,b), ({n},{v}))",
    "SET spark.{n}={v}",
    "<{n}>{v}</{n}>",
    "<name>{n}</name><value>{v}</value>",
    "- name: {n}\n  value: {v}\n",
    "{n}\\u003d{v}",
)
BARE_VALUES = (SECRET, *(f"{SECRET}{char}{SECRET}" for char in "!#$^*+/=?@~|.:-_"), f"{SECRET}==", f"$2b$12${SECRET}")

QUOTED = (
    "{n}='{v}'",
    "{n} = '{v}'",
    "{n}: '{v}'",
    "{n}=`{v}`",
    "{n} '{v}'",
    "OPTIONS ({n} '{v}', x 'y')",
    "OPTIONS ('{n}' = '{v}', x 'y')",
    "OPTIONS (`{n}` '{v}')",
    "--{n} '{v}' --next",
    "map('a', 'b', '{n}', '{v}')",
    ".option('{n}', '{v}')",
    "{{'a': 'b', '{n}': '{v}'}}",
    "'{{''{n}'': ''{v}''}}'",
    "'{{\\'{n}\\': \\'{v}\\'}}'",
)
DOUBLE_QUOTED = (
    '{n}="{v}"',
    '{n} = "{v}"',
    '{{"a":"b","{n}":"{v}"}}',
    '{{"a": "b", "{n}": "{v}", "x": 1}}',
    '{{"a": "{{\\"{n}\\": \\"{v}\\"}}"}}',
    '{{"a": "{{\\"b\\": \\"{{\\\\\\"{n}\\\\\\": \\\\\\"{v}\\\\\\"}}\\"}}"}}',
    '"{{""{n}"": ""{v}""}}"',
    '.option("{n}", "{v}")',
    'conf.set("{n}","{v}")',
    '{n}("{v}")',
    '<x {n}="{v}"/>',
    '<add key="{n}" value="{v}"/>',
    '{{"name": "{n}", "value": "{v}"}}',
    "&quot;{n}&quot;: &quot;{v}&quot;",
    "%7B%22{n}%22%3A%22{v}%22%7D",
    '--{n} "{v}" --next',
)
QUOTED_VALUES = tuple(
    SECRET + between + SECRET
    for between in ("", " ", ", ", ";", "=", ": ", ")", "]", "}", "#1, ", " AS ", "&", "<", "@", "/", "$")
)


def siblings() -> Iterator[tuple[str, str]]:
    """Each name, with a text that has a secret behind it."""
    for name, pattern in product(NAMES, BARE):
        yield name, pattern.format(n=name, v=SECRET)
    for name, pattern in product(NAMES, (*QUOTED, *DOUBLE_QUOTED)):
        yield name, pattern.format(n=name, v=f"{SECRET} {SECRET}")
    for name, pattern, value in product(("password", "sfPass", "api_key"), BARE, BARE_VALUES):
        yield name, pattern.format(n=name, v=value)
    for name, pattern, value in product(("password", "sfPass", "api_key"), (*QUOTED, *DOUBLE_QUOTED), QUOTED_VALUES):
        yield name, pattern.format(n=name, v=value)
