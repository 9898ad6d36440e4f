package bootdyno.imports

import bootdyno.model.looksSecret

private val VARIABLE = Regex("""\{\{\s*([^{}]+?)\s*}}""")

/** Variables may name each other this often in a row. */
private const val LONGEST_ROW = 10

/** Values of `{{name}}` in `.http` files and Postman collections. Variables with secret-looking names have none. */
internal class Variables(values: Map<String, String>) {
    private val values = values.filterKeys { !looksSecret(it) }

    /** [text] with all known values; unknown variables stay. */
    fun fill(text: String): String {
        var filled = text
        repeat(LONGEST_ROW) {
            if ("{{" in filled) filled = filled.replace(VARIABLE) { values[it.groupValues[1]] ?: it.value }
        }
        return filled
    }

    /** [url] as [fill], and without an address that has an unknown variable, which is the address of the application. */
    fun fillUrl(url: String): String {
        val filled = fill(url.trim())
        if (filled.startsWith("/")) return filled
        val rest = withoutScheme(filled)
        val address = rest.takeWhile { it !in "/?" }
        return when {
            VARIABLE.containsMatchIn(address) -> targetOf(rest.removePrefix(address))
            address.isEmpty() -> "/$rest"
            rest == filled -> "http://$filled"
            else -> filled
        }
    }
}

private fun variableIn(text: String): String? = VARIABLE.find(text)?.groupValues?.get(1)

private val EXPECTED_STATUS =
    Regex("""(?:have\.status\(|\.status\s*={2,3}\s*|\.code\)\.to\.(?:be\.)?(?:(?:eql?|equal)\(|oneOf\(\[))\s*(2\d\d)""")

/** The successful status that a test script expects; null without one. */
internal fun statusOf(script: String): Int? = EXPECTED_STATUS.find(script)?.groupValues?.get(1)?.toInt()

/**
 * Adds [found] with the [status] that it was recorded or tested with, unless a variable of it has no value. Headers with the
 * value of a secret are removed.
 */
internal fun Collected.addFilled(found: FoundRequest, status: Int?) {
    val (hidden, open) = found.headers.partition { header ->
        variableIn(header.value)?.let(::looksSecret)
            ?: looksSecret(header.name)
    }
    val unknown = (listOfNotNull(found.url, found.body) + open.map { it.value }).firstNotNullOfOrNull(::variableIn)
    when {
        unknown == null -> {
            hidden.forEach { secret("header ${it.name}") }
            if (status == null) note(UNKNOWN_STATUS)
            add(FoundRequest(found.name, found.method, found.url, open, found.body, status ?: 200))
        }

        looksSecret(unknown) -> leaveOut("the variable $unknown is a secret", found.shown)

        else -> leaveOut("the variable $unknown has no value", found.shown)
    }
}

private const val UNKNOWN_STATUS =
    "Status 200 is expected where the file names none. If an operation answers otherwise, set its `expect` in a " +
        "file: --write-experiment FILE."
