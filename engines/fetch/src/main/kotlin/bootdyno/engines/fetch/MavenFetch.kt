package bootdyno.engines.fetch

import bootdyno.engine.EngineFailed
import bootdyno.system.ChildOutput
import bootdyno.system.Inherited
import bootdyno.system.kill
import bootdyno.system.pinned
import bootdyno.system.startChild
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.writeText

/** As pinned in the parent POM, so that building the project has brought it. */
const val DEPENDENCY_PLUGIN_VERSION = "3.8.1"

/** The folder that [fetchByMaven] lays jars into. */
const val FETCHED = "lib"

/**
 * Lays what [pom] depends on at run time into the folder [FETCHED] of [folder], by the user's own [maven] with the settings it has;
 * from the local repository alone if everything is there. [what] is said to the user, `JMeter 5.6.3`, and so is [instead], what
 * does without Maven.
 * @return the jars
 * @throws EngineFailed when there is no Maven, or when it cannot bring them.
 */
fun fetchByMaven(
    what: String,
    pom: String,
    folder: Path,
    tell: (String) -> Unit,
    maven: Path?,
    instead: String = "",
): List<Path> {
    if (maven == null) {
        throw EngineFailed("$what is fetched with Maven, and there is no `mvn` on the PATH: install Maven 3.8 or newer$instead")
    }
    folder.resolve("pom.xml").writeText(pom)
    val log = folder.resolve("maven.log")
    val jars = folder.resolve(FETCHED)
    fun brought() = if (Files.isDirectory(jars)) jars.listDirectoryEntries("*.jar") else emptyList()
    val offline = runMaven(maven, folder, log, listOf("--offline")) {}
    val code = if (offline == 0) 0 else runMaven(maven, folder, log, emptyList()) { tell("$what: $it files so far") }
    if (code != 0 || brought().isEmpty()) throw EngineFailed(notBrought(what, code, log) + instead)
    return brought()
}

private fun runMaven(maven: Path, folder: Path, log: Path, flags: List<String>, downloaded: (Int) -> Unit): Int {
    val command = listOf("$maven", "--batch-mode", "-Dstyle.color=never") + flags + listOf(
        "org.apache.maven.plugins:maven-dependency-plugin:$DEPENDENCY_PLUGIN_VERSION:copy-dependencies",
        "-DincludeScope=runtime",
        "-DoutputDirectory=$FETCHED",
    )
    Files.deleteIfExists(log)
    val process = startChild(command, mapOf("JAVA_HOME" to System.getProperty("java.home")), Inherited.DOWNLOADS, folder)
    val output = ChildOutput(log, process.inputStream)
    try {
        var told = 0
        while (!process.waitFor(1, TimeUnit.SECONDS)) {
            val files = log.readLines().count { "Downloaded from" in it }
            if (files > told) downloaded(files)
            told = files
        }
        return process.exitValue()
    } finally {
        process.descendants().forEach { it.destroyForcibly() }
        process.kill()
        output.close()
    }
}

private fun notBrought(what: String, code: Int, log: Path): String {
    val errors = log.readLines().filter { it.startsWith("[ERROR]") }.map { it.removePrefix("[ERROR]").trim() }
    val said = errors.filter { it.isNotEmpty() }.take(MOST_LINES).ifEmpty { log.readLines().takeLast(MOST_LINES) }
    return "Maven could not bring $what (exit code $code): ${said.joinToString(" | ")}. A mirror or a proxy is said in Maven's " +
        "settings.xml; without a network the artifacts must be in its local repository"
}

private const val MOST_LINES = 5
