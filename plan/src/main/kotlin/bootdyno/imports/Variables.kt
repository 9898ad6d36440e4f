package bootdyno.imports

private val VARIABLE = Regex("""\{\{([^{}]{1,200})}}""")

/** Variables may name each other this often in a row. */
private const val LONGEST_ROW = 100

/** Maximum length of a filled text, and of the values in all texts of a file, in characters. */
private const val LONGEST_FILLED = 65_536
private const val MOST_FILLED = 32 * 1024 * 1024

/** Variables that a sentence names. */
private const val MOST_NAMED = 5

/** Values of variables that IntelliJ, VS Code and Postman generate for each request, by the beginnings of their names. */
private val GENERATED =
    listOf("uuid", "guid", "randomUUID", "random.uuid").associate { "\$$it" to "6f1d9f1c-6a4f-4c1b-9a58-0d7c4f0a2c11" } +
        listOf("isoTimestamp", "datetime", "localDatetime").associate { "\$$it" to "2026-01-01T00:00:00Z" } +
        ("\$timestamp" to "1767225600")

/** Values of the other variables with random values, by words in their names: `$randomEmail`, `$random.integer(1, 9)`. */
private val RANDOM = mapOf(
    "email" to "ada@example.com", "url" to "https://example.com/", "date" to "2026-01-01T00:00:00Z", "phone" to "202-555-0143",
    "boolean" to "true", "price" to "7.5", "float" to "7.5", "latitude" to "7.5", "longitude" to "7.5", "int" to "7",
    "hexadecimal" to "7f", "" to "sample",
)

/** `"YYYY-MM-DD"` of `{{$datetime "YYYY-MM-DD"}}`. */
private val FORMAT = Regex("""^\$(?:datetime|localDatetime) ["']([^"']{1,60})["']""")
private val RFC_1123 = Regex("""^\$(?:datetime|localDatetime) rfc1123\b.*""")
private val PARTS_OF_TIME = listOf("YYYY" to "2026", "yyyy" to "2026", "SSS" to "000", "MM" to "01", "DD" to "01", "dd" to "01") +
    listOf("HH", "hh", "mm", "ss").map { it to "00" }

private fun generatedValue(name: String): String? {
    FORMAT.find(name)?.let { found ->
        return PARTS_OF_TIME.fold(found.groupValues[1]) { text, (part, value) -> text.replace(part, value) }
    }
    if (RFC_1123.matches(name)) return "Thu, 01 Jan 2026 00:00:00 GMT"
    val word = name.takeWhile { it !in " (" }
    return GENERATED[word]
        ?: if (word.startsWith("\$random")) RANDOM.entries.first { word.contains(it.key, ignoreCase = true) }.value else null
}

/** The values of variables are longer than an import may be. */
internal class TooLong : RuntimeException("the values of its variables are longer than 64 KiB, or all together than 32 MiB")

/** A call by which a script sets a variable, perhaps inside a text of JSON: `pm.environment.set("id", …)`. */
private val SET = Regex("""\bset\w{0,40}\(\s{0,40}\\?["'`]([^"'`\\]{1,200})""")

/**
 * Values of `{{name}}` in `.http` files and Postman collections. Empty ones are sent, unless they make up a host, or a script in [code] sets
 * the variable. Variables with secret-looking names have no value.
 */
internal class Variables(values: Map<String, String>, code: () -> String) {
    private val setByScripts by lazy { SET.findAll(code()).map { it.groupValues[1] }.toSet() }
    private val values =
        Values(values.filter { (name, value) -> !isSecretName(name) && (value.isNotEmpty() || name !in setByScripts) })
    private val ofHosts = Values(this.values.all.filterValues { it.isNotEmpty() })
    private var length = 0L
    private val withoutValue = linkedSetOf<String>()
    private val generated = linkedSetOf<String>()

    /** What the user must know of variables: sentences. */
    val notes: List<String>
        get() = listOfNotNull(
            withoutValue.takeIf { it.isNotEmpty() }?.let {
                "${it.take(MOST_NAMED).joinToString()} has no value. If its value ends with a path, as /api, the paths lack it."
            },
            generated.takeIf { it.isNotEmpty() }?.let {
                "Generated variables have the same value in each request: ${it.take(MOST_NAMED).joinToString()}."
            },
        )

    /**
     * [text] with all known values; unknown variables stay.
     * @throws TooLong if the values are too long
     */
    fun fill(text: String): String = fill(text, values)

    private fun fill(text: String, values: Values): String {
        if ("{{" !in text) return text
        if (length > MOST_FILLED) throw TooLong()
        try {
            return values.fill(text, emptySet()).also { length += it.length }
        } catch (e: TooLong) {
            length += LONGEST_FILLED
            throw e
        }
    }

    private inner class Values(val all: Map<String, String>) {
        private val filled = mutableMapOf<String, String>()

        fun fill(text: String, within: Set<String>): String = if ("{{" !in text) {
            text
        } else {
            val whole = StringBuilder()
            var from = 0
            VARIABLE.findAll(text).forEach { found ->
                whole.append(text, from, found.range.first).append(valueOf(found.groupValues[1].trim(), within) ?: found.value)
                from = found.range.last + 1
                if (from > found.range.first && whole.length > LONGEST_FILLED + from) throw TooLong()
            }
            "${whole.append(text, from, text.length)}"
        }

        /** The value of [name], in which its own variables are filled, unless they name each other in a circle. */
        private fun valueOf(name: String, within: Set<String>): String? {
            filled[name]?.let { return it }
            generatedValue(name)?.takeIf { name !in all }?.let { value -> return value.also { generated += name } }
            val value = all[name]?.takeIf { name !in within && within.size < LONGEST_ROW } ?: return null
            return fill(value, within + name).also { filled[name] = it }
        }
    }

    /**
     * [url] as [fill], and without a host or port that is an unknown or empty variable, which are those of the application. Another unknown
     * variable stays, because it may be a part of the path.
     */
    fun fillUrl(url: String): String {
        val text = fill(url.trim())
        if (addressIn(text).split(':').none { it.isEmpty() }) return located(text)
        val path = located(fill(url.trim(), ofHosts))
        return if ("{{" in addressIn(path)) path else fill(path)
    }

    private fun addressIn(url: String) = withoutScheme(url).takeWhile { it !in "/?" }

    private fun located(url: String): String {
        val filled = url.replace(UNKNOWN_SCHEME, "http://")
        if (filled.startsWith("/")) return filled
        val rest = withoutScheme(filled)
        val address = addressIn(filled)
        val unknown = VARIABLE.find(address)
        return when {
            unknown != null && OF_APPLICATION.matches(address) && (rest != address || rest != filled) -> {
                if (address == unknown.value) withoutValue += unknown.value
                targetOf(rest.removePrefix(address))
            }

            unknown != null -> filled

            address.isEmpty() -> "/$rest"

            rest == filled -> "http://$filled"

            else -> filled
        }
    }
}

private fun variableIn(text: String): String? = VARIABLE.find(text)?.groupValues?.get(1)?.trim()

private val UNKNOWN_SCHEME = Regex("""^\{\{[^{}]{1,200}}}://""")

/** A host and a port of which one is a variable. A word that follows a variable may be a path, as another variable. */
private val OF_APPLICATION =
    Regex("""[A-Za-z0-9.@_-]{0,255}(?:\{\{[^{}]{1,200}}}(?:[.-][A-Za-z0-9.@_-]{0,255})?)?(?::(?:\d{1,5}|\{\{[^{}]{1,200}}}))?""")

/** Comparisons of tests with a status: of IntelliJ's `client.assert`, Postman's `pm`, its older `responseCode`, and httpyac's `??`. */
private val EXPECTED_STATUS = Regex(
    """(?:(?<!not\.(?:to\.)?)have\.status\(|(?:\bresponse\.|\?\? )status\s*={2,3}\s*|""" +
        """\bresponse(?:Code)?\.(?:code|status)\)\.to\.(?:be\.)?(?:eql?|equals?)\(|""" +
        """\bresponse(?:Code)?\.code\s*={2,3}\s*)\s*(?:([1-5]\d\d)|["']([A-Za-z ]{2,30})["'])""",
)
private const val STATUSES = """([1-5]\d\d(?:\s*,\s*[1-5]\d\d){0,20})\s*]"""
private val ONE_OF = Regex(
    """response\.(?:code|status)\)\.to\.(?:be\.)?oneOf\(\[\s*$STATUSES|""" +
        """\(\[\s*$STATUSES\)\.to\.include\((?:pm\.)?response\.code""",
)

/** Comments, and conditions of what a script does. */
private val NO_TEST = Regex("""(?m)^[ \t]*+//.*|/\*[\s\S]{0,1000}?\*/|\bif\s{0,5}\((?:[^()\n]|\([^()\n]{0,200}\)){0,200}+\)""")
private val EXPECTED_KIND = Regex(
    """response\.to\.be\.(ok|accepted|badRequest|unauthorized|forbidden|notFound|rateLimited|clientError|serverError)\b""",
)
private val STATUS_NAMES = mapOf(
    "ok" to 200, "created" to 201, "accepted" to 202, "nocontent" to 204, "badrequest" to 400, "unauthorized" to 401,
    "forbidden" to 403, "notfound" to 404, "conflict" to 409, "unprocessableentity" to 422, "ratelimited" to 429,
    "internalservererror" to 500, "clienterror" to 400, "servererror" to 500,
)

/** The status that a test script expects, of several the first success; null without one. */
internal fun statusOf(script: String): Int? {
    val tests = NO_TEST.replace(script, "")
    val lists = ONE_OF.findAll(tests).flatMap { (it.groupValues[1] + it.groupValues[2]).split(',') }.map { it.trim().toInt() }
    val single = EXPECTED_STATUS.findAll(tests).mapNotNull { found ->
        val (number, name) = found.destructured
        if (number.isEmpty()) STATUS_NAMES[name.lowercase().replace(" ", "")] else number.toInt()
    }
    val kinds = EXPECTED_KIND.findAll(tests).mapNotNull { STATUS_NAMES[it.groupValues[1].lowercase()] }
    val all = (lists + single + kinds).toList()
    return all.find { it in 200..299 } ?: all.firstOrNull()
}

/**
 * Adds [found] with the [status] that it was recorded or tested with, unless a variable of its address or body has no value, or it is to
 * fail. Headers with the value of a secret, or of an unknown variable, are removed.
 */
internal fun Collected.addFilled(found: FoundRequest, status: Int?) {
    val (unfilled, open) = found.headers.partition { variableIn(it.value) != null || isSecretName(it.name) }
    val unknown = listOfNotNull(found.url, found.body).firstNotNullOfOrNull(::variableIn)
    when {
        unknown == null -> {
            unfilled.forEach { header ->
                val variable = variableIn(header.value)
                if (variable == null || isSecretName(header.name) || isSecretName(variable)) {
                    secret("header ${header.name}")
                } else {
                    note("The header ${header.name} is not imported: its variable $variable has no value.")
                }
            }
            if (status == null) note(UNKNOWN_STATUS)
            addAnswered(found.copy(headers = open, status = status ?: 200))
        }

        isSecretName(unknown) -> leaveOut("the variable $unknown is a secret", found.shown)

        else -> leaveOut("the variable $unknown has no value", found.shown)
    }
}

private const val UNKNOWN_STATUS =
    "Status 200 is expected where the file names none. If an operation answers otherwise, set its `expect` in a " +
        "file: --write-experiment FILE."
