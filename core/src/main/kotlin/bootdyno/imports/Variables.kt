package bootdyno.imports

private val VARIABLE = Regex("""\{\{\s*([^{}]+?)\s*}}""")

/** Variables may name each other this often in a row. */
private const val LONGEST_ROW = 10

/** Values of `{{name}}` in `.http` files and Postman collections. */
internal class Variables(private val values: Map<String, String>) {
    /** [text] with all known values; unknown variables stay. */
    fun fill(text: String): String = (1..LONGEST_ROW).fold(text) { so, _ ->
        so.replace(VARIABLE) { values[it.groupValues[1]] ?: it.value }
    }

    /** [url] as [fill], without an unknown variable at its begin, which is the address of the application. */
    fun fillUrl(url: String): String {
        val filled = fill(url.trim())
        val begin = VARIABLE.find(filled.substringAfter("://")) ?: return withScheme(filled)
        if (begin.range.first > 0) return withScheme(filled)
        val rest = filled.substringAfter("://").substring(begin.range.last + 1).dropWhile { it != '/' && it != '?' }
        return if (rest.startsWith("/")) rest else "/$rest"
    }

    private fun withScheme(url: String) = if ("://" in url || url.startsWith("/")) url else "http://$url"
}

/** The first variable without a value in [texts]; null if all have one. */
internal fun unknownVariable(texts: List<String>): String? =
    texts.firstNotNullOfOrNull { VARIABLE.find(it)?.groupValues?.get(1) }

private val EXPECTED_STATUS = Regex("""(?:have\.status\(|\.status\s*={2,3}\s*|\.code\)\.to\.(?:be\.)?(?:eql?|equal)\()\s*(2\d\d)""")

/** The successful status that a test script expects; 200 without one. */
internal fun statusOf(script: String): Int = EXPECTED_STATUS.find(script)?.groupValues?.get(1)?.toInt() ?: 200

/** Adds [found] unless one of its texts has a variable without a value; secret headers need none. */
internal fun Collected.addFilled(found: FoundRequest) {
    val open = found.headers.filterNot { bootdyno.model.looksSecret(it.name) }.map { it.value }
    val unknown = unknownVariable(listOfNotNull(found.url, found.body) + open)
    if (unknown == null) add(found) else leaveOut("the variable $unknown has no value", "${found.method} ${found.url}")
}
