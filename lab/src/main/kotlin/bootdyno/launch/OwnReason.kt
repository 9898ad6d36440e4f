package bootdyno.launch

/** What may help an application to start: a [flag], and the same as a [line] of an experiment file. */
data class Remedy(val flag: String, val line: String) {
    override fun toString() = "$flag (in an experiment file: `$line`)"
}

/** Why an application did not start, in the words of its log. [remedy]: null if unknown. */
data class OwnReason(val words: String, val remedy: Remedy?) {
    /** As sentences, for the reason of a failure. */
    val told: String get() = "It says: ${sentence(words)}" + remedy?.let { " Try $it." }.orEmpty()
}

/**
 * The reason in the last [lines] of a log. It is the first of these: the description of Spring Boot's failure analysis, the last cause of
 * an exception, the first error of the JVM, how to use the program. Null without one. [words]: its command line, whose own limit of the
 * heap is what to change.
 */
fun ownReason(lines: List<String>, words: List<String> = emptyList()): OwnReason? {
    val reason = analysed(lines) ?: lastOf(CAUSE, lines) ?: lines.find(FIRST_WORDS::containsMatchIn) ?: lastOf(EXCEPTION, lines)
        ?: return null
    val all = lines.joinToString("\n")
    val ownHeap = words.lastOrNull(OWN_HEAP::containsMatchIn)?.takeIf { HEAP_TOO_SMALL.containsMatchIn(all) }
    val remedy = ownHeap?.let { Remedy("a larger value than $it", "jvm: [ a larger value than $it ]") }
        ?: REMEDIES.firstNotNullOfOrNull { (sign, remedy) -> sign.find(all)?.let(remedy) }
    return OwnReason(cut(reason.trim()), remedy)
}

/** The text between `Description:` and `Action:` of the last failure analysis. */
private fun analysed(lines: List<String>): String? {
    val from = lines.indexOfLast { it.trim() == "APPLICATION FAILED TO START" }
    if (from < 0) return null
    val description = lines.drop(from).dropWhile { it.trim() != "Description:" }.drop(1).takeWhile { it.trim() != "Action:" }
    return description.map { it.trim() }.filter { it.isNotEmpty() }.joinToString(" ").ifEmpty { null }
}

/** `Connection to localhost:5432 refused`, without the name of the exception's package. */
private fun lastOf(sign: Regex, lines: List<String>): String? =
    lines.asReversed().firstNotNullOfOrNull { sign.find(it) }?.groupValues?.get(1)

private fun sentence(words: String) = if (words.last() in ".!?") words else "$words."

private fun cut(words: String) = if (words.length > MOST_WORDS) words.take(MOST_WORDS).substringBeforeLast(' ') + " …" else words

private const val MOST_WORDS = 600

/** `Caused by: org.postgresql.util.PSQLException: Connection …`, and the same after `Exception in thread "main"`. */
private val CAUSE = Regex("""(?:^\s*Caused by: |^Exception in thread "[^"]*" )(?:[\w$]+\.)*([\w$]+(?::.*)?)$""")

/** As a logger prints it. */
private val EXCEPTION = Regex("""^(?:[\w$]+\.)+([\w$]+(?:Exception|Error)\b.*)$""")
private val FIRST_WORDS =
    Regex("^(?:Error: |Unrecognized |Could not create the Java |Invalid maximum heap|(?i:usage: )|Missing required )")

private val HEAP_TOO_SMALL = Regex("OutOfMemoryError(?!: Metaspace)|Too small maximum heap")
private val OWN_HEAP = Regex("^-(Xmx|XX:MaxHeapSize=|XX:MaxRAMPercentage=)")

private val DATABASE_MISSING = Remedy(
    "--set database=embedded, --compose compose.yaml, or --env SPRING_DATASOURCE_URL=…",
    "database: embedded, compose: compose.yaml, or env: { SPRING_DATASOURCE_URL: … }",
)

private fun java(version: Int) = Remedy("--java $version", "java: $version")

private fun jvm(flag: String) = Remedy("--jvm=$flag", "jvm: [ $flag ]")

private fun setting(key: String, value: String = "…") = Remedy("--setting $key=$value", "settings: { $key: $value }")

/** A key in capitals is the name of a variable. */
private fun valueOf(key: String): Remedy =
    if (key.any { it.isLowerCase() }) setting(key) else Remedy("--env $key=…", "env: { $key: … }")

/** Signs in a log, and what would help. The first that is found counts. */
private val REMEDIES: List<Pair<Regex, (MatchResult) -> Remedy>> = listOf(
    Regex("""class file version (\d+)\.\d+""") to { found -> java(found.groupValues[1].toInt() - CLASS_FILES_BEFORE_1) },
    // Of libraries that are older than the JDK.
    Regex("""Unsupported class file major version""") to { java(17) },
    Regex("""module (\S+) does not "opens (\S+)" to unnamed module""") to
        { found -> found.destructured.let { (module, name) -> jvm("--add-opens=$module/$name=ALL-UNNAMED") } },
    // Of Spring, Micronaut and Quarkus.
    Regex("""Could not resolve placeholder '?(?:\$\{)?([^'}:]+)""") to { found -> valueOf(found.groupValues[1]) },
    Regex("""config property (\S+) is required""") to { found -> valueOf(found.groupValues[1]) },
    Regex("""Failed to configure a DataSource|Failed to determine a suitable driver class""") to { DATABASE_MISSING },
    Regex("""PSQLException: (?:Connection to|FATAL)|Connection to \S+:5432 refused""") to { DATABASE_MISSING },
    Regex("""Communications link failure|MongoTimeoutException|Unable to connect to Redis|Socket fail to connect to host""") to
        { Remedy("--compose compose.yaml", "compose: compose.yaml") },
    Regex("""Port (\d+) was already in use""") to { setting("management.server.port", "0") },
    Regex("""Address already in use""") to { Remedy("--setting ITS.PORT={port}", "settings: { ITS.PORT: \"{port}\" }") },
    Regex("""OutOfMemoryError: Metaspace""") to { jvm("-XX:MaxMetaspaceSize=512m") },
    HEAP_TOO_SMALL to { Remedy("--set 'limits.memory=2 GiB'", "limits: { memory: 2 GiB }") },
    Regex("""(FileNotFound|NoSuchFile)Exception: (?!class |/)""") to { Remedy("--working-directory .", "working-directory: .") },
    Regex("""(?im)^usage: |^Missing required """) to
        { Remedy("--command 'java -jar APP.jar ARGUMENTS'", "subject: { command: [ java, -jar, APP.jar, ARGUMENTS ] }") },
)

/** Java 1 has the version 45 of class files, Java 21 the version 65. */
private const val CLASS_FILES_BEFORE_1 = 44
