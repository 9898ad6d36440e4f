package bootdyno.model

/** Replaces secrets in files, reports and on the terminal. Needs no escape in YAML, JSON, URLs and quoted shell words. */
const val HIDDEN = "(hidden)"

/** Headers with secret values, which may contain spaces. */
private val SECRET_HEADERS = listOf("authorization", "cookie")

/** Names of secret query parameters that are too short to be searched elsewhere. */
private val SECRETS_OF_QUERIES = listOf("auth", "sig", "pw", "pass", "sid", "session")

/** A key that contains one of these has a secret value. */
private val SECRET_NAMES = SECRET_HEADERS + listOf(
    "passw(?:or)?d", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential", "bearer", "jwt", "signature",
    "(?:api|access|private|signing|encrypt(?:ion)?|account|shared|master)[-_.]?key", "jsessionid", "session[-_.]?id",
    "x[-_.](?:session|auth|csrf|xsrf)", "(?<![A-Za-z])pass(?![A-Za-z0-9_.-])",
)
private val SECRET_WORD = Regex(SECRET_NAMES.joinToString("|", "(?i)"))

/** The password of `scheme://user:password@host`; it may contain `@`, but no slash. */
private val IN_URL = Regex("(://[^/\\s:@?#]{0,200}+:)([^/\\s?#]+)(@)")

/** `jdbc:oracle:thin:user/password@host`. */
private val IN_ORACLE_URL = Regex("(jdbc:oracle:[a-z0-9]{1,20}:[^/\\s@]{1,200}+/)([^@\\s]+)(@)")

/** `?pw=x` of a query. */
private val IN_QUERY = Regex(SECRETS_OF_QUERIES.joinToString("|", "([?&;](?i:", ")=)([^&;\\s\"'#]+)"))

/** The text after the name of a scheme, as in `Bearer eyJhbGciOi`. It must contain a digit or a sign, unlike words of a sentence. */
private val AFTER_SCHEME =
    Regex(
        "(?i)(\\b(?:bearer|basic|digest|negotiate)[ \\t]+)(?=[A-Za-z~+/-]*+(?:[0-9=_]|[.][A-Za-z0-9]))([A-Za-z0-9._~+/=-]{6,}+)",
    )

private const val ASSIGNED = '='

/** Whether a setting, header or variable named [key] has a secret value. */
fun looksSecret(key: String): Boolean = SECRET_WORD.containsMatchIn(key)

/** [text] (YAML, JSON, a log line, a URL) without the values of secret-looking keys and without passwords in URLs. */
fun redactText(text: String): String = redacted(text, ::hide)

/** The values that [redactText] hides in [text]. */
fun secretsIn(text: String): Set<String> = buildSet {
    redacted(text) { value -> hide(value).also { if (it != value && HIDDEN !in value) add(value.trim().trim('"', '\'')) } }
}

private fun redacted(text: String, hide: (String) -> String): String = redactPairs(
    text.replace(IN_URL) { it.groupValues[1] + hide(it.groupValues[2]) + it.groupValues[3] }
        .replace(IN_ORACLE_URL) { it.groupValues[1] + hide(it.groupValues[2]) + it.groupValues[3] }
        .replace(IN_QUERY) { it.groupValues[1] + hide(it.groupValues[2]) }
        .replace(AFTER_SCHEME) { it.groupValues[1] + hide(it.groupValues[2]) },
    hide,
)

/** A command line without secrets: `-Dkey=x`, `--key=x`, `--key x`, `KEY=x`, and those that [redactText] finds. */
fun redactCommandLine(words: List<String>): List<String> = words.mapIndexed { index, word ->
    val before = words.getOrNull(index - 1).orEmpty()
    val namedBefore = before.startsWith("-") && ASSIGNED !in before && looksSecret(before) && !word.startsWith("-")
    val key = word.substringBefore(ASSIGNED)
    when {
        namedBefore -> hide(word)
        ASSIGNED in word && key.all(::mayBeInKey) && looksSecret(key) -> "$key=" + hide(word.substringAfter(ASSIGNED))
        else -> redactText(word)
    }
}

/** Settings, headers or variables with secret values hidden. */
fun redactSettings(settings: Map<String, String>): Map<String, String> =
    settings.mapValues { (key, value) -> if (looksSecret(key)) hide(value) else redactText(value) }

/**
 * Hides the value of every `key: value`, `key=value` and `"key": "value"` with a secret key. One pass over any text, because the search is
 * for secret words.
 */
private fun redactPairs(text: String, hide: (String) -> String): String = buildString {
    var from = 0
    var word = SECRET_WORD.find(text)
    while (word != null) {
        val keyEnd = text.skip(word.range.last + 1, ::mayBeInKey)
        val pair = pairAt(text, word.range.first, word.range.last + 1, keyEnd)
        if (pair != null) {
            append(text, from, pair.value).append(hide(text.substring(pair.value, pair.end)))
            from = pair.end
        }
        val next = pair?.end ?: keyEnd
        word = if (next < text.length) SECRET_WORD.find(text, next) else null
    }
    append(text, from, text.length)
}

/** Begin and end of a value. */
private class SecretPair(val value: Int, val end: Int)

/** The pair whose key contains a secret word [from] here [to] there and ends at [keyEnd]; null without a value. */
private fun pairAt(text: String, from: Int, to: Int, keyEnd: Int): SecretPair? {
    val afterQuote = if (text.getOrNull(keyEnd) in QUOTES) keyEnd + 1 else keyEnd
    val sign = text.skip(afterQuote, ::isBlank)
    val value = text.skip(sign + 1, ::isBlank)
    val separated = when (text.getOrNull(sign)) {
        '=' -> true
        ':' -> afterQuote > keyEnd || value > sign + 1
        else -> false
    }
    if (!separated || value >= text.length || text[value] in "\r\n") return null
    val opens = text[value]
    val key = keyBegin(text, from)
    return when {
        opens in QUOTES -> SecretPair(value, closing(text, value))

        key > 0 && text[key - 1] in "?&;" && text[sign] == '=' ->
            SecretPair(value, text.skip(value) { !it.isWhitespace() && it !in QUERY_ENDS })

        beginsLine(text, key) && text[sign] == ':' && afterQuote == keyEnd ->
            SecretPair(value, text.skip(value) { it !in "\r\n" })

        text[sign] == ':' && isHeader(text, to, keyEnd) -> SecretPair(value, text.skip(value) { it !in HEADER_ENDS })

        else -> SecretPair(value, text.skip(value) { !it.isWhitespace() && it !in VALUE_ENDS })
    }.takeIf { it.end > it.value }
}

/** Values of `Authorization: Bearer x` and `Cookie: a=b; c=d` contain spaces. */
private fun isHeader(text: String, to: Int, keyEnd: Int) =
    to == keyEnd && SECRET_HEADERS.any { text.regionMatches(to - it.length, it, 0, it.length, ignoreCase = true) }

/** Begin of the key around [at]. */
private fun keyBegin(text: String, at: Int): Int {
    var begin = at
    while (begin > 0 && mayBeInKey(text[begin - 1])) begin--
    return begin
}

/** Whether the key at [key] is the first word of its line, as in YAML and headers. */
private fun beginsLine(text: String, key: Int): Boolean {
    var begin = key
    while (begin > 0 && (isBlank(text[begin - 1]) || text[begin - 1] == '-')) begin--
    return begin == 0 || text[begin - 1] in "\r\n"
}

/** Index after the quote that closes the one at [at], or the end of the line. */
private fun closing(text: String, at: Int): Int {
    val quote = text[at]
    var i = at + 1
    while (i < text.length) {
        val c = text[i]
        when {
            c == '\\' && quote == '"' -> i++
            c == quote && quote == '\'' && text.getOrNull(i + 1) == '\'' -> i++
            c == quote -> return i + 1
        }
        i++
    }
    return text.length
}

private inline fun String.skip(from: Int, whilst: (Char) -> Boolean): Int {
    var at = from.coerceAtMost(length)
    while (at < length && whilst(this[at])) at++
    return at
}

private val QUOTES: Set<Char?> = setOf('"', '\'')
private const val VALUE_ENDS = ",;&}]\"'"
private const val QUERY_ENDS = "&;\"'#"
private const val HEADER_ENDS = "\r\n\"',}"

private fun isBlank(c: Char) = c == ' ' || c == '\t'

private fun mayBeInKey(c: Char) = c.isLetterOrDigit() || c in "_.-[]"

/** Booleans and placeholders stay visible, because they are no secrets and may be what is compared. Quotes stay. */
private fun hide(value: String): String {
    val quote = value.take(1).takeIf { it == "\"" || it == "'" }.orEmpty()
    val content = value.trim().trim('"', '\'')
    return if (content.lowercase() in HARMLESS || PLACEHOLDER_ONLY.matches(content)) value else quote + HIDDEN + quote
}

/** `{password}`, `Bearer {token}`. A bracket ends the value of a pair, so the closing one may be missing. */
private val PLACEHOLDER_ONLY = Regex("""(?i)(?:(?:bearer|basic|token) )?\{[a-z][a-z0-9_-]*}?""")

private val HARMLESS = setOf("", "true", "false", "null", HIDDEN)
