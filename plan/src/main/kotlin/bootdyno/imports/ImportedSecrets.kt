package bootdyno.imports

import bootdyno.model.HIDDEN
import bootdyno.model.looksSecret
import bootdyno.model.redactText

/** Secret names that are too short to be searched inside others: they are the last word of a name, as in `user.pin`. */
private val SHORT_NAMES = setOf(
    "auth", "sig", "pw", "pass", "pin", "otp", "totp", "mfa", "sid", "session", "sessid", "ssn", "cvv", "cvc", "cvv2", "hmac",
    "saml", "assertion", "passwort", "senha", "kennwort",
)
private val SECRET_NAME =
    Regex("(?i)saml(?:request|response)|relaystate|client[-_]?assertion|phpsessid|aspxauth|connect\\.sid|subscription[-_]?key")

/** Words in the names of headers about a user, a session or a key. */
private val HEADER_WORDS = setOf(
    "session", "user", "remember", "dpop", "identity", "principal", "account", "cert", "sso", "login", "nonce", "ticket",
    "device", "fingerprint", "email", "license",
)

/** Headers that browsers and clients send to everyone. */
private val HARMLESS_HEADERS =
    Regex("(?i)(?:accept|content)(?:-.*)?|x-requested-with|prefer|x-http-method-override|x-forwarded-.*")

/** A scheme before a secret, as in `token x`. */
private val SCHEME_VALUE = Regex("(?i)(?:bearer|basic|digest|negotiate|ntlm|token|jwt|key|apikey|hawk|aws4-hmac-sha256)[ :=].*")

/** Letters and digits of this length that no one has typed. */
private const val RANDOM = 16

/** A JSON Web Token, which begins with `{"` in Base64. */
internal val JSON_WEB_TOKEN = Regex("eyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9._-]*")

/** Keys of Stripe, GitHub, GitLab, Slack, AWS and Google, and private keys. */
internal val KNOWN_KEYS =
    Regex(
        "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]|gh[opsu]_[A-Za-z0-9]{20}|glpat-|xox[abps]-|A[KS]IA[A-Z0-9]{16}|" +
            "AIza[A-Za-z0-9_-]{30}|PRIVATE KEY-----",
    )

/** A name with a value: `name: x`, `name=x`, `"name" : "x"`. */
private val NAMED_VALUE =
    Regex("""(?<![A-Za-z0-9_.-])([A-Za-z0-9_.\[\]$-]{1,200}+)["']?\s{0,40}+[:=]\s{0,40}+["']?([^\s"'&;,}\])<=:~|]{1,40})""")

/** An element of XML with a text, and a name that is a value itself: `<param name="password">`, `{ "name": "password", "value": … }`. */
private val ELEMENT = Regex("""<(?:[\w.-]{1,100}:)?([\w.-]{1,100}+)(?:\s[^<>]{0,1000})?>\s{0,40}+(?:<!\[CDATA\[|[^<\s])""")
private val NAME_AS_VALUE = Regex("""(?i)["']?\b(?:name|key|id|field)["']?\s{0,40}+[:=]\s{0,40}+["']([\w.\[\]-]{1,100})["']""")

/** A login of OAuth whose code is a secret, as those of its other kinds have secret names. */
private const val CODE_OF_LOGIN = "authorization_code"
private val WORDS = Regex("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")
private val HARMLESS = setOf("true", "false", "null", "undefined", "none", "{", "[", HIDDEN)

private val EMAIL = Regex("""[A-Za-z0-9]@[A-Za-z0-9-]{1,63}\.[A-Za-z]{2}""")
private const val SHORTEST_CARD = 13
private val CARD = Regex("""(?<![0-9.-])[0-9](?:[ -]?[0-9]){12,18}(?![0-9.-])""")

/** Values may be encoded in each other this often. */
private const val MOST_ROUNDS = 4
private val ESCAPED = Regex("""\\u([0-9A-Fa-f]{4})|\\(["\\/])|\\[nrt]|&(quot|lt|gt|amp|apos);|%([0-9A-Fa-f]{2})""")
private val ENTITIES = mapOf("quot" to "\"", "lt" to "<", "gt" to ">", "amp" to "&", "apos" to "'")

/** Whether a parameter, field or key called [name] has a secret value. */
internal fun isSecretName(name: String): Boolean {
    val plain = if ('%' in name || '\\' in name) decodings(name).last() else name
    return looksSecret(plain) || SECRET_NAME.containsMatchIn(plain) ||
        plain.split(WORDS).lastOrNull { it.isNotEmpty() }?.lowercase() in SHORT_NAMES
}

/** Whether a header, a value or a body contains a secret, also encoded or inside another text. In doubt it does. */
internal fun hasSecret(text: String): Boolean = decodings(text).any { decoded ->
    redactText(decoded) != decoded || CODE_OF_LOGIN in decoded || JSON_WEB_TOKEN.containsMatchIn(decoded) ||
        KNOWN_KEYS.containsMatchIn(decoded) ||
        NAMED_VALUE.findAll(decoded).any { it.groupValues[2].lowercase() !in HARMLESS && isSecretName(it.groupValues[1]) } ||
        ('<' in decoded && ELEMENT.findAll(decoded).any { isSecretName(it.groupValues[1]) }) ||
        NAME_AS_VALUE.findAll(decoded).any { isSecretName(it.groupValues[1]) }
}

/** Whether [header] has a secret value. [isRecorded]: of a user's session, of which less is kept than of what a developer wrote. */
internal fun isSecretHeader(header: Header, isRecorded: Boolean): Boolean = when {
    hasSecret("${header.name}: ${header.value}") || hasSecret(header.value) || isSecretName(header.name) -> true

    isHarmlessHeader(header.name) -> false

    SCHEME_VALUE.matches(header.value) -> true

    else -> header.name.split(WORDS).map { it.lowercase() }.let { words ->
        (words.last() == "key" && "idempotency" !in words) ||
            (isRecorded && (isRandom(header.value) || words.any { it in HEADER_WORDS || it.endsWith("auth") }))
    }
}

private fun isRandom(value: String) = value.length >= RANDOM && value.any(Char::isDigit) && value.any(Char::isLetter) &&
    value.all { it.isLetterOrDigit() || it in "+/_=.~-" }

/** Whether every client may send a header called [name]. */
internal fun isHarmlessHeader(name: String) = HARMLESS_HEADERS.matches(name)

/** `an e-mail address`, `a card number`: personal data in [text], which may be needed. */
internal fun personalData(text: String): List<String> {
    val decoded = decodings(text).last()
    return listOfNotNull(
        "e-mail addresses".takeIf { '@' in decoded && EMAIL.containsMatchIn(decoded) },
        "card numbers".takeIf { decoded.count(Char::isDigit) >= SHORTEST_CARD && CARD.findAll(decoded).any { isCard(it.value) } },
    )
}

/** The check digit of Luhn (ISO/IEC 7812-1, annex B). */
private fun isCard(number: String): Boolean {
    val digits = number.filter(Char::isDigit).reversed()
    return digits.any { it != '0' } && digits.foldIndexed(0) { at, sum, digit ->
        val doubled = digit.digitToInt() * (1 + at % 2)
        sum + if (doubled > 9) doubled - 9 else doubled
    } % 10 == 0
}

/** [text], and what it is without the escapes of URLs, JSON and XML, which may be inside each other. */
private fun decodings(text: String): List<String> = buildList {
    var decoded = text
    add(decoded)
    repeat(MOST_ROUNDS) {
        if (decoded.none { it == '%' || it == '\\' || it == '&' }) return@buildList
        val next = ESCAPED.replace(decoded) { found ->
            val (unicode, sign, entity, byte) = found.destructured
            when {
                unicode.isNotEmpty() -> unicode.toInt(radix = 16).toChar().toString()
                byte.isNotEmpty() -> byte.toInt(radix = 16).toChar().toString()
                entity.isNotEmpty() -> ENTITIES.getValue(entity)
                else -> sign.ifEmpty { " " }
            }
        }
        if (next == decoded) return@buildList
        decoded = next
        add(decoded)
    }
}
