package bootdyno.launch

/** Why an application did not start, in the words of its log. [remedy]: a line of an experiment file that would help; null if unknown. */
data class OwnReason(val words: String, val remedy: String?) {
    /** As sentences, for the reason of a failure. */
    val told: String get() = "It says: ${sentence(words)}" + remedy?.let { " The experiment file may help: `$it`." }.orEmpty()
}

/**
 * The reason in the last [lines] of a log: the description of Spring Boot's failure analysis, otherwise the last cause of an exception, or the
 * first error of the JVM. Null without one. [words]: its command line, whose own limit of the heap is what to change.
 */
fun ownReason(lines: List<String>, words: List<String> = emptyList()): OwnReason? {
    val reason = analysed(lines) ?: lastCause(lines) ?: lines.find { JVM_ERROR.containsMatchIn(it) } ?: return null
    val all = lines.joinToString("\n")
    val ownHeap = words.lastOrNull(OWN_HEAP::containsMatchIn)?.takeIf { HEAP_TOO_SMALL.containsMatchIn(all) }
    val remedy = ownHeap?.let { "jvm: [ a larger value than $it ]" }
        ?: REMEDIES.firstNotNullOfOrNull { (sign, line) -> sign.find(all)?.let(line) }
    return OwnReason(cut(reason.trim()), remedy)
}

/** The text between `Description:` and `Action:` of the last failure analysis. */
private fun analysed(lines: List<String>): String? {
    val from = lines.indexOfLast { it.trim() == "APPLICATION FAILED TO START" }
    if (from < 0) return null
    val told = lines.drop(from).dropWhile { it.trim() != "Description:" }.drop(1).takeWhile { it.trim() != "Action:" }
    return told.map { it.trim() }.filter { it.isNotEmpty() }.joinToString(" ").ifEmpty { null }
}

/** `Connection to localhost:5432 refused`, without the name of the exception's package. */
private fun lastCause(lines: List<String>): String? = lines.lastOrNull { CAUSE.containsMatchIn(it) }
    ?.let { CAUSE.find(it)?.groupValues?.get(1) }

private fun sentence(words: String) = if (words.last() in ".!?") words else "$words."

private fun cut(words: String) = if (words.length > MOST_WORDS) words.take(MOST_WORDS).substringBeforeLast(' ') + " …" else words

private const val MOST_WORDS = 600

/** `Caused by: org.postgresql.util.PSQLException: Connection …`, and the same after `Exception in thread "main"`. */
private val CAUSE = Regex("""(?:^\s*Caused by: |^Exception in thread "[^"]*" )(?:[\w$]+\.)*([\w$]+(?::.*)?)$""")
private val JVM_ERROR = Regex("^(?:Error: |Unrecognized |Could not create the Java |Invalid maximum heap)")

private val HEAP_TOO_SMALL = Regex("OutOfMemoryError(?!: Metaspace)|Too small maximum heap")
private val OWN_HEAP = Regex("^-(Xmx|XX:MaxHeapSize=|XX:MaxRAMPercentage=)")

private const val DATABASE_MISSING = "database: embedded, compose: compose.yaml, or env: { SPRING_DATASOURCE_URL: … }"

/** Signs in a log, and the line that would help. The first that is found counts. */
private val REMEDIES: List<Pair<Regex, (MatchResult) -> String>> = listOf(
    Regex("""class file version (\d+)\.\d+""") to { found -> "java: ${found.groupValues[1].toInt() - CLASS_FILES_BEFORE_1}" },
    // Of libraries that are older than the JDK.
    Regex("""Unsupported class file major version""") to { "java: 17" },
    Regex("""module (\S+) does not "opens (\S+)" to unnamed module""") to
        { found -> found.destructured.let { (module, name) -> "jvm: [ --add-opens=$module/$name=ALL-UNNAMED ]" } },
    Regex("""Could not resolve placeholder '([^']+)'""") to { found -> "settings: { ${found.groupValues[1]}: … }" },
    Regex("""Failed to configure a DataSource|Failed to determine a suitable driver class""") to { DATABASE_MISSING },
    Regex("""PSQLException: (?:Connection to|FATAL)|Connection to \S+:5432 refused""") to { DATABASE_MISSING },
    Regex("""Communications link failure|MongoTimeoutException|Unable to connect to Redis|Socket fail to connect to host""") to
        { "compose: compose.yaml" },
    Regex("""Port (\d+) was already in use""") to { "settings: { management.server.port: 0 }" },
    Regex("""OutOfMemoryError: Metaspace""") to { "jvm: [ -XX:MaxMetaspaceSize=512m ]" },
    HEAP_TOO_SMALL to { "limits: { memory: 2 GiB }" },
    Regex("""FileNotFoundException: (?!class path)""") to { "working-directory: ." },
)

/** Java 1 has the version 45 of class files, Java 21 the version 65. */
private const val CLASS_FILES_BEFORE_1 = 44
