package bootdyno.launch

import bootdyno.model.jsonOf
import bootdyno.model.redactCommandLine
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions

/** Whether [word] contains a secret. */
private fun isSecret(word: String): Boolean = redactCommandLine(listOf(word)) != listOf(word)

/**
 * A `java` command with its secret words in a file in [folder] that only we may read, because all users can see command lines. JDKs since 9
 * read such a file for a word that begins with `@`.
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

/** A quoted word of a `java` argument file. */
private fun quoted(word: String): String {
    val escaped = word.map { ESCAPES[it] ?: "$it" }.joinToString("")
    return "\"$escaped\""
}

private val ESCAPES = mapOf('\\' to "\\\\", '"' to "\\\"", '\n' to "\\n", '\r' to "\\r", '\t' to "\\t", '\u000c' to "\\f")

/**
 * A command with its secret settings in an environment variable of Spring Boot, for programs that read no argument file. A note says so,
 * because other frameworks ignore it.
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

/** Spring Boot reads settings from this variable as a JSON object. */
internal const val SPRING_JSON = "SPRING_APPLICATION_JSON"
