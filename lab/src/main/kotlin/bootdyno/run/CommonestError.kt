package bootdyno.run

/** Of the [lines] of a log that report an error, the commonest one, whose numbers may differ; the last of its kind. Null without one. */
internal fun commonestError(lines: List<String>): String? {
    val errors = lines.map { it.take(LONGEST) }.filter { ERROR.containsMatchIn(it) }
    val commonest = errors.groupBy { NUMBERS.replace(it, "#") }.values.maxByOrNull { it.size }
    return commonest?.last()?.trim()?.replaceFirst(PREFIX, "")?.trim()
}

private const val LONGEST = 1_000
private val ERROR = Regex("""\b(ERROR|SEVERE|FATAL)\b|^(Caused by: )?[\w.$]+(Exception|Error)\b""")
private val NUMBERS = Regex("""\d[0-9a-fA-F]*""")

/** The time, the thread and the logger that Spring Boot and others write before a message. */
private val PREFIX = Regex("""^\d{4}-\d\d-\d\d[T ]\S+\s+(ERROR|SEVERE|FATAL)\b.*?\s:\s""")
