"""Recognize names whose value is a secret: `password`, `sfPass`, `DB_PASS`, `fs.azure.account.key.x`."""

from __future__ import annotations

import re
from functools import lru_cache

_NOT_LATIN = (
    "парол секрет токен лозинк құпиясөз κωδικ συνθηματικ סיסמה סיסמא գաղտնաբառ პაროლ گذرواژه"
    " 密码 密碼 密钥 密鑰 秘钥 口令 令牌 验证码 驗證碼 パスワード シークレット"
    " 暗証番号 トークン 秘密鍵 認証コード 비밀번호 비밀키 암호 비번 인증번호"
).split()
"""Words for passwords, tokens and secret keys in other scripts; a name with one of them is sensitive."""
_OTHER_LATIN = frozenset(
    "senha jeton segredo segreto segreta geheimwort geheimzahl passwort kennwort zugangsdaten credenciales credenciais"
    " mdp wachtwoord wagwoord contraseña contrasena contrasenya contrasenia contrasinal pasahitza heslo hesla heslem"
    " haslo hasla hasło hasła hasłem şifre şifresi sifre sifresi jelszo jelszó jelszava parool parooli salasõna"
    " salasana salasanan lösenord lösenordet losenord adgangskode adgangskoden kodeord passord passordet lykilorð"
    " lykilord slaptažodis slaptazodis lozinka lozinke lozinku zaporka geslo gesla gaslo nenosiri cyfrinair fjalëkalimi"
    " fjalekalimi passwuert parolă parolei parolas\u0131".split()
)
"""Words in other languages that make a name sensitive wherever they are; the words after them name its kind."""

_PHRASES = (
    r"(?:cl[eé]s?|clave|chave|chiave|cheie) (?:de |d'|di )?(?:api|acc?[eè]s\w*|acesso|secr[eè]t\w{0,2}|segret"
    r"a|priv\w{2,4})"
    r"|(?:geheimer|privater|api) schl(?:ü|ue)ssel|секретн\w\w ключ|ключ (?:api|доступа)|api密钥"
    r"|(?:gizli|api|erişim|özel) anahtar\w{0,2}|(?:tajný|přístupový) klíč|(?:tajny|prywatny) klucz"
    r"|klucz (?:api|dostępu)|tajni ključ|(?:geheime|api) sleutel|hemlig nyckel|hemmelig nøgle|salainen avain"
    r"|titkos kulcs|kunci rahasia|μυστικ[οό] κλειδ[ιί]|mot (?:de )?passe|palavra passe|jeton d'acc[eè]s"
    r"|parola (?:d.ordine|segreta|chiave)|one time (?:code|password)"
    r"|c[oó]digo de (?:verifica\w{4,5}|seguran?[cç]?\w{2,4}|acceso|acesso)"
    r"|code de (?:vérification|sécurité|validation)|codice (?:segreto|di (?:verifica|sicurezza|accesso))"
    r"|код (?:подтверждения|доступа)|doğrulama kodu|kod weryfikacyjny|secret access key|(?:mật|mat) (?:khẩu|khau)"
    r"|kata (?:sandi|laluan)|رمز عبور|کلمه عبور|كلمة (?:المرور|السر)|الرقم السري|رمز (?:المرور|التحقق)|पासवर्ड|कूटशब्द"
    r"|পাসওয়ার্ড|கடவுச்சொல்|รหัสผ่าน|รหัสลับ|mã xác (?:minh|nhận)"
)
"""Names of several words, or of letters that are not `\\w`, in several languages; with blanks between the words."""

PARTS = (
    *"mnemo pass pw psw secret tok tkn cred auth sig sas pin otp cookie jwt sess hmac key zugangs psk cvv cvc seed code"
    " _pat kek dek verifier delegation community parol pasw geheim jaas jfrog mot_de_ motde connect.sid bearer answer"
    " psswd clave schlüssel mat_khau kata_sandi puk authtok anahtar klucz".split(),
    *_OTHER_LATIN,
    *_NOT_LATIN,
)
"""Every sensitive name contains one of these, in lower case."""

_HUMP = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")
"""A word within a name: `sfPass` has two, `DB_PASS` has two, `PGPASSWORD` has one."""

_ANYWHERE = re.compile(
    r"jsessionid|(?:github|gitlab|azure|ado|devops|ext|databricks|personal|access|gh)_pat$|(?:^|vault_|approle_)secret_id$|sessid|code_verifier$|^delegation$"
    r"|(?:access|activation|verification|confirmation|security|auth|backup|recovery|otp|mfa|2fa|unlock|zugangs|sicherheits|einmal|engangs"
    r"|sms|onetime)_?(?:codes?|kode|kod)$|community_?string"
    r"|seed_?phrase|(?:otp|mfa|2fa)_?seed|connect\.sid|asp\.net_session|(?:gitlab|laravel|rack)_session|security_?answer"
    r"|(?<![a-z])pin[_-](?:code|number|nummer|numéro|numero|no|nr|value|list)s?$|telepin$|kennwort|wachtwoord"
    r"|(?:api|geheim|zugangs|zugriffs|netz|netzwerk|wlan|wifi|privater?|lizenz|schlüssel)[_-]?schlüssel|jfrog-art-api$|(?:master|basic)auth$|jaas(?:_?config)?$"
    rf"|(?<![^\W_])(?:{_PHRASES.replace(' ', '_?')})"
    rf"|(?:{'|'.join(_NOT_LATIN)})(?!\w{{0,4}}(?:日|期限|时间|時間|次数|回数))",
    re.IGNORECASE,
)
"""Parts of names whose value is a secret."""

_STEM = re.compile(
    r"(?:passw(?:[o0]rd|ort|or|rd|d)?|pass[_. -](?:word|wd)|pass[_. -]?(?:phrase|code)|basic[_.-]?auth|pwd|pswd"
    r"|secret|token(?!iz)|credential|authorization|signature"
    r"|(?:access|account|api|private)[_.-]?key|(?<![a-z])pw(?![a-z])|(?<![a-z])pass(?=_(?:hash|salt|enc|b64|old|new|plain|clear|prod|dev)))(?-i:s?)",
    re.IGNORECASE,
)
"""Words whose value is a secret, at the end of a name or before a word of `_AFTER_STEM`."""

_SAYS_WHICH = frozenset(
    "value values text string str plain plaintext clear raw new old current previous prev default initial prod"
    " production dev test staging live primary secondary main backup admin root b64 base64 enc encoded"
    " encrypted hex bin bytes blob wo answer hash hashed md sha bcrypt salt phrase code word"
    " words list array map json base fallback note notes history part parts number numbers num seed pem der csv"
    " a b".split()
)
"""Qualifiers after a stem: `password_old` is a secret, `secret_santa` is not."""
_SAYS_WHOSE = frozenset(
    "user users owner db bdd database api service app application client server env environment data content key"
    " keys secret token password pass for of in the is was to and or x y a b v first last next".split()
)
"""Words after a stem in names of options and variables."""
_AFTER_STEM = _SAYS_WHICH | _SAYS_WHOSE

_WORDS = frozenset({"auth", "oauth", "sas"})
"""Words in such names: `author` does not contain the word `auth`."""
_OPENED = _AFTER_STEM | frozenset(
    "mysql postgres pg oracle mssql redis mongo snowflake sf jdbc odbc ldap ssl ssh sftp ftp smtp mail proxy wifi"
    " vpn cluster spark hive kafka keystore truststore login account superuser sys system master reader writer".split()
)
"""Words before `pw` in names."""

_LAST = frozenset(
    "kek dek pass passwd password pw psw pswd pin otp sig cred creds credential credentials cookie cookies jwt hmac"
    " secret token authorization bearer tok tkn pword passw passphrase passcode signature sas psk cvv cvc parol parola"
    " pasword passord psswd mdp geheim geheimnis clave totp mnemonic puk authtok".split()
)
"""Words that make a name sensitive only if they end it: `pass_count` is a number."""

_CODES = [[word] for word in "pin pins puk cvv cvc otp totp code codes kode kod".split()]
_COUNTS = frozenset("max min num n total prompt completion input output cached used avg sum count".split())
"""Words before `tokens`: a language model counts them."""
_OF_TEXTS = frozenset("pad eos bos unk sep cls mask stop".split())
"""Words before `token` in the settings of a tokenizer."""
_OTHERS = {
    "token": _OF_TEXTS,
    "tokens": _OF_TEXTS | _COUNTS,
    "signature": frozenset("time key method function call".split()),
}
"""Words that, after others, end the name of another thing: of a tokenizer, of a model, of music."""
_FLAGS = frozenset("has is needs requires allows".split())
"""Words that begin the name of a boolean: `has_password`."""
_PROPERTIES = frozenset(
    "provider class impl scala java py kt length len size days hours minutes seconds interval timeout rotation policy"
    " expiry ttl lifetime algorithm type enabled required remaining file path null metric metrics stats report"
    " exception error".split()
)
"""Words that end the name of a setting about a secret, or of a source file: `fs.s3a.aws.credentials.provider`."""
_DESCRIBES = frozenset(
    "method mode mechanism scheme url uri host macro level status date time at flow endpoint version count by result"
    " outcome reason".split()
)
"""Words after `auth` that make the name one of something else."""

_LAST_LETTERS = ("pass", "pw", "pwd", "password", "passwd", "secret", "token", "apikey", "accesskey", "secretkey")
_ENGLISH = frozenset("compass bypass surpass trespass encompass overpass underpass".split())

KEYS = frozenset(
    "access account admin aes api app application auth certificate cipher client consumer cosmos crypt crypto decrypt"
    " decryption deploy enc encrypt encryption eventhub fernet function functions gpg hmac host instrumentation"
    " integration keystore licence license master pass pepper pgp priv private radius recovery root rsa sas sec secret"
    " security server service servicebus session shared sign signing ssh ssl storage subscription symmetric tls"
    " truststore unseal vault webhook wifi wlan wpa write".split()
)
"""Words before `key` in the names of secret keys: a primary, foreign or partition key is not secret."""
_ENCRYPTION = frozenset("sensitive encryption encrypt decryption crypto cipher".split())
_KEY_AS_ONE = re.compile(rf"(?:{'|'.join(sorted(KEYS, key=len, reverse=True))})keys?$")

_LONGEST_NAME = 128
_VALUE = re.compile(r"(?<=\w)(?:[!@^&+?~]|[$%](?=\w))|[A-Z][a-z]{4}0[a-z]")
"""What makes a text that is like a name a value: `Passw0rd!`."""
_UNLIKE_NAME = re.compile(
    r"(?<![^\W_])(?!(?:a2a|b2[bc]|e2e|h2o|i18n|k8s|l10n|m2m|o365|p2p|s2s|x509)(?![^\W_]))[A-Za-z]+\d{1,9}(?:[a-z]|[A-Z][A-Za-z]{0,64}\d)"
    r"|[a-z][A-Z][a-z]{0,32}-|=$"
)
"""A digit between letters of a word, `St4rtpass`, humps before a hyphen, or a padding, as no name has them."""


_SIMILAR = "авсеіјкмнорѕтухԁԛԝαοενκρτυχАВСЕІЈКМНОРЅТУХ"
_DISGUISED = re.compile(
    rf"p[a@4][s5$]{{2}}(?:w[o0]?r?d)?|s[e3]cr[e3][t7]|[t7][o0]k[e3]n|(?<=[a-z])[{_SIMILAR}]{{1,16}}"
    rf"|[{_SIMILAR}]{{1,16}}(?=[a-z])|[\uff01-\uff5e]{{1,128}}"
    r"|(?P<is>(?<=[码碼钥令牌ドン호])[是为為は는은])|(?P<blank>&nbsp;|[\xa0\u200b])"
    rf"|(?P<phrase>(?<![^\W_]){_PHRASES.replace(' ', '[ _-]').join(['(?:', ')'])})"
    r"|(?P<slashed>(?<![\w/])p/w(?![\w/]))",
    re.IGNORECASE,
)
_PLAIN_LETTERS = str.maketrans("@4$50371" + _SIMILAR, "aassoetiabceijkmhopstyxdqwaoevkptuxABCEIJKMHOPSTYX") | {
    code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)
}


def undisguised(text: str) -> str:
    """Return a text of the same length with plain letters in place of digits, wide and similar letters.

    Names of several words in other languages are `secret___`.

    >>> undisguised("p@ssw0rd"), undisguised("s3cret"), undisguised("mot de passe"), undisguised("p/w")
    ('password', 'secret', 'secret______', 'pw_')
    """
    return _DISGUISED.sub(_plain, text)


def _plain(match: re.Match[str]) -> str:
    if match["blank"]:
        return " " * len(match[0])
    if match["is"]:
        return ":"
    if match["slashed"]:
        return f"{match[0][0]}{match[0][2]}_"
    return "secret".ljust(len(match[0]), "_") if match["phrase"] else match[0].translate(_PLAIN_LETTERS)


@lru_cache(maxsize=16_384)
def is_sensitive(name: str) -> bool:
    """Return whether the value of an option, a property or a variable with this name is a secret.

    >>> is_sensitive("sfPassword"), is_sensitive("pass_count")
    (True, False)
    """
    name = name[-_LONGEST_NAME:]
    if _VALUE.search(name):
        return False
    if _ANYWHERE.search(name):
        return True
    words = _words(name)
    if _is_about(words):
        return False
    if any(word in _WORDS for word in words) or _ends_sensitive(words):
        return True
    stem = _STEM.search(name) if "." in name or "-" in name else _stem(name)
    return stem is not None or _has_key(words if "." in name else _to_key(words)) or _is_key_of_encryption(name, words)


def _stem(name: str, after: frozenset[str] = _AFTER_STEM) -> re.Match[str] | None:
    """Return a stem that only words about the secret follow."""
    for match in _STEM.finditer(name):
        words = _words(name[match.end() :].lstrip("s"))
        if (
            all(word in after or not word.isascii() for word in words)
            and not name[match.end() : match.end() + 1].islower()
        ):
            return match
    return None


def _to_key(words: list[str]) -> list[str]:
    """Return the last two words, without trailing qualifiers of a key.

    An `api_key_id` is public; an `access_key_id` of AWS and a `private_key_id` of Google are not.
    """
    while words and words[-1] in _AFTER_STEM - {"key", "keys"}:
        words = words[:-1]
    return words[-3:-1] if words[-3:] in (["access", "key", "id"], ["private", "key", "id"]) else words[-2:]


_OF_NAMES = _OPENED | KEYS | _LAST | {"x", "id", "refresh", "csrf", "xsrf", "web", "email", "device", "http"}
"""Words of names with hyphens."""


def is_property(name: str) -> bool:
    """Return whether a name is that of a property: `min_length`, `enabled`."""
    return not _PROPERTIES.isdisjoint(_words(name)[-1:])


@lru_cache(maxsize=16_384)
def is_secret_column(name: str) -> bool:
    """Return whether a column with this name contains secrets; stricter, as plans have many columns.

    >>> [is_secret_column(name) for name in ("token", "token_count", "password_changed_at", "author")]
    [True, False, False, False]
    >>> is_secret_column("API key (live)")
    True
    """
    name = name[-_LONGEST_NAME:].partition(" (")[0]
    words = _words(name)
    return _VALUE.search(name) is None and (
        _ANYWHERE.search(name) is not None
        or (
            not _is_about(words)
            and (
                _ends_sensitive(words)
                or _has_key(words[-2:])
                or _stem(name.rpartition(".")[2], _SAYS_WHICH) is not None
            )
        )
    )


def is_name_of_secret(literal: str) -> bool:
    """Return whether a literal is the name of a secret, and not a secret of words with hyphens.

    >>> [is_name_of_secret(text) for text in ("x-api-key", "refresh-token", "heron-token", "heron_token")]
    [True, True, False, True]
    """
    return may_be_name(literal) and ("-" not in literal or _OF_NAMES.issuperset(_words(literal)))


def may_be_name(literal: str) -> bool:
    """Return whether a literal is like the name of a secret: next to a value it is one.

    >>> [may_be_name(text) for text in ("db.password", "oauth2Token", "Passw0rd!", "my_pw_77", "us1ng-pw")]
    [True, True, False, False, False]
    >>> [may_be_name(text) for text in ("dbPw", "winterPw", "heron-token")]
    [True, False, True]
    """
    has_digit = literal[:1].isdigit() or literal[-1:].isdigit()
    is_value = has_digit or _UNLIKE_NAME.search(literal[-_LONGEST_NAME:]) is not None
    return (
        not is_value
        and literal.lower() != "bearer"
        and is_secret_column(literal)
        and not _is_password_of_words(_words(literal))
    )


def is_code(name: str) -> bool:
    """Return whether a secret with this name may be a short number: `cvv`, `pin`, `one_time_code`."""
    return _words(name)[-1:] in _CODES and is_secret_column(name)


def _is_password_of_words(words: list[str]) -> bool:
    """Return whether words end in `pw` or `pass` and do not name what it opens."""
    return words[-1:] in (["pw"], ["pass"]) and not _OPENED.issuperset(words[:-1])


def _is_about(words: list[str]) -> bool:
    """Return whether a name is that of a count, a flag or a property of a secret: `max_tokens`, `has_password`."""
    return bool(words) and (
        words[0] in _FLAGS
        or "ref" in words
        or not _OTHERS.get(words[-1], frozenset()).isdisjoint(words[:-1])
        or (words[-1] in _DESCRIBES and not _WORDS.isdisjoint(words))
        or words[-1] in _PROPERTIES
    )


def _words(name: str) -> list[str]:
    is_property = name.startswith("-D") and name[2:3].isalpha()  # Java's flag for a system property
    words = [word.lower() for word in _HUMP.findall(name[2:] if is_property else name)]
    while words and words[-1].isdigit():
        words.pop()
    return words


def _ends_sensitive(words: list[str]) -> bool:
    if not words:
        return False
    last = words[-1]
    return (
        last in _LAST
        or not _OTHER_LATIN.isdisjoint(words)
        or last.removesuffix("s") in ("password", "secret", "token", "pin", "pw", "pwd", "passwd", "passphrase")
        or (last.endswith(_LAST_LETTERS) and last not in _ENGLISH)
    )


def _is_key_of_encryption(name: str, words: list[str]) -> bool:
    """Return whether an option is a key of encryption: `parquet.encryption.footer.key`."""
    return "." in name and words[-1:] == ["key"] and not _ENCRYPTION.isdisjoint(words)


def _has_key(words: list[str]) -> bool:
    return any(
        (word in ("key", "keys") and before in KEYS) or _KEY_AS_ONE.search(word) is not None
        for before, word in zip(("", *words), words, strict=False)
    )


_PIECES = re.compile(r"[\s_./:-]+")
_MIXED = re.compile(r"(?=(?:[^\W\d]|[!$%^&@+?~])*\d)(?=\d*[^\W\d])[\w!#$%^&@+?~]{6,512}={0,2}$")
_HARMLESS = re.compile(
    r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$|(?:19|20)\d{6}t?\d{0,6}z?$|\w{1,32}://|[\w.+-]+@[\w-]+\.\w|[./~]|sha\d|\w{1,16}:?/"
    r"|.*\.(?-i:[a-z])\w{0,7}$|\d{4}q\d$",
    re.IGNORECASE,
)
"""An id, a time, an address, a path, the name of a hash."""


def looks_secret(literal: str) -> bool:
    """Return whether a literal has the form of a secret: a part of letters and digits, or a long number.

    >>> [looks_secret(text) for text in ("hunter2", "a-7e57ed7e57", "88415073", "eu-west-1", "2026-01-31", "Bob")]
    [True, True, True, False, False, False]
    """
    if len(literal) < 6 or len(literal) > 4096 or " " in literal or _HARMLESS.match(literal) or is_sensitive(literal):
        return False
    return is_long_number(literal) or any(map(_MIXED.match, _PIECES.split(literal)))


def is_address(text: str) -> bool:
    """Return whether a text is an id, a time, an address or a path."""
    return _HARMLESS.match(text) is not None


def is_long_number(text: str) -> bool:
    """Return whether a text is a number that is neither a count nor a day."""
    return text.isdigit() and len(text) >= 5 and not (len(text) == 8 and text.startswith(("19", "20")))
