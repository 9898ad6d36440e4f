package bootdyno.launch

import bootdyno.model.jsonOf
import bootdyno.model.redactCommandLine
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions

/** Whether [word] is not for everybody to read: it would not be written down as it is. */
private fun isSecret(word: String): Boolean = redactCommandLine(listOf(word)) != listOf(word)

/**
 * The words of a `java` command with the secret ones in a file in [folder] that only we may read: a command line is for everybody to
 * see. JDKs since 9 read such a file where a word begins with `@`.
 */
internal fun secretsInFile(words: List<String>, folder: Path): List<String> {
    val secrets = words.drop(1).filter(::isSecret).ifEmpty { return words }
    val file = Files.createFile(
        folder.resolve("arguments"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")),
    )
    Files.write(file, secrets.map(::quoted))
    return listOf(words.first(), "@$file") + words.drop(1).filterNot(::isSecret)
}

/** As `java` reads a quoted word in an argument file. */
private fun quoted(word: String): String {
    val escaped = word.map { ESCAPES[it] ?: "$it" }.joinToString("")
    return "\"$escaped\""
}

private val ESCAPES = mapOf('\\' to "\\\\", '"' to "\\\"", '\n' to "\\n", '\r' to "\\r", '\t' to "\\t", '\u000c' to "\\f")

/**
 * A command with its secret settings in its environment, where Spring Boot reads them: for what reads no file of arguments. A note says so,
 * since no other framework does.
 */
internal fun secretsInEnvironment(command: SubjectCommand): SubjectCommand {
    val secrets = command.words.drop(1).filter { it.startsWith("-D") && isSecret(it) }.ifEmpty { return command }
    val given = command.environment[SPRING_JSON]?.let { jsonOf(it) as? JsonObject }.orEmpty()
    val added = secrets.associate { it.removePrefix("-D").substringBefore('=') to JsonPrimitive(it.substringAfter('=')) }
    return command.copy(
        words = command.words - secrets.toSet(),
        environment = command.environment + (SPRING_JSON to "${JsonObject(given + added)}"),
        notes =
        command.notes +
            "Settings that look secret are passed in $SPRING_JSON, which only Spring Boot reads: ${added.keys.joinToString()}.",
    )
}

/** Spring Boot reads settings from this variable, as a JSON object. */
internal const val SPRING_JSON = "SPRING_APPLICATION_JSON"
