package bootdyno.compose

import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.HOW_TO_GET_COMPOSE
import bootdyno.system.findOnPath
import bootdyno.system.readOrNull
import java.nio.file.Path
import kotlin.io.path.isRegularFile

/** Names of a compose file, in the order in which Docker prefers them. */
private val COMPOSE_FILES = listOf("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")

/** The compose file in [folder]; null without one. */
fun composeFileIn(folder: Path): Path? = COMPOSE_FILES.map { folder.resolve(it) }.find { it.toFile().isFile }

/** The words that begin a compose command: `docker compose`, or the older `docker-compose`. Null without either. */
internal fun composeWords(cli: DockerCli): List<String>? = when {
    cli.ask("compose", "version").succeeded -> cli.command("compose")
    else -> findOnPath("docker-compose")?.let { listOf("$it") }
}

/** Why no compose file can be started here, with advice; null if it can. The engine itself is checked elsewhere. */
fun whyNoCompose(cli: DockerCli): String? = HOW_TO_GET_COMPOSE.takeIf { composeWords(cli) == null }

/**
 * The variables of our own environment that the compose file mentions: `${DB_PASSWORD}`, or `environment: [ DB_PASSWORD ]`, and the
 * `COMPOSE_PROFILES` to start. No other variable is passed on. Files beside it that it names count too, because it may include them, extend them, or read variables from them.
 */
internal fun mentionedVariables(file: Path, environment: Map<String, String> = System.getenv()): Map<String, String> {
    val texts = mutableMapOf<Path, String>()
    val waiting = ArrayDeque(listOf(file.toAbsolutePath().normalize()))
    while (waiting.isNotEmpty() && texts.size < MOST_FILES) {
        val next = waiting.removeFirst().takeIf { it !in texts && it.isRegularFile() } ?: continue
        texts[next] = readOrNull(next).orEmpty()
        NAMED_FILE.findAll(texts.getValue(next)).mapTo(waiting) { next.resolveSibling(it.value).normalize() }
    }
    val names = texts.values.flatMap { text -> VARIABLE.findAll(text).map { it.value } }.toSet()
    return environment.filterKeys { it in names || it == "COMPOSE_PROFILES" }
}

private const val MOST_FILES = 100
private val NAMED_FILE = Regex("""[\w./-]{0,200}\.(?:ya?ml|env[\w.-]{0,50})\b""")
private val VARIABLE = Regex("[A-Za-z_][A-Za-z0-9_]*")
