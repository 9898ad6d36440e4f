package bootdyno.load.gatling

import bootdyno.load.EngineFailed
import bootdyno.load.onPath
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.writeText

/** As pinned in the parent POM. */
internal const val DEPENDENCY_PLUGIN_VERSION = "3.8.1"

/**
 * Lays Gatling's jars into `lib` of [folder] by the user's own Maven, with the settings it has.
 * @return how many jars
 * @throws EngineFailed when there is no Maven on [maven]'s place, or when it cannot bring the jars.
 */
internal fun fetchGatling(folder: Path, tell: (String) -> Unit, maven: Path? = onPath("mvn")): Int {
    if (maven == null) {
        throw EngineFailed(
            "Gatling $GATLING_VERSION is fetched with Maven, and there is no `mvn` on the PATH: install Maven 3.8 or newer",
        )
    }
    folder.resolve("pom.xml").writeText(POM)
    val log = folder.resolve("maven.log")
    val code = runMaven(maven, folder, log, tell)
    val lib = folder.resolve("lib")
    val jars = if (code == 0 && Files.isDirectory(lib)) lib.listDirectoryEntries("*.jar").size else 0
    if (jars == 0) throw EngineFailed(notBrought(code, log))
    return jars
}

private fun runMaven(maven: Path, folder: Path, log: Path, tell: (String) -> Unit): Int {
    val process = ProcessBuilder(
        maven.toString(),
        "--batch-mode",
        "org.apache.maven.plugins:maven-dependency-plugin:$DEPENDENCY_PLUGIN_VERSION:copy-dependencies",
        "-DincludeScope=runtime",
        "-DoutputDirectory=lib",
    ).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log.toFile())
        .apply { environment()["JAVA_HOME"] = System.getProperty("java.home") }
        .start()
    try {
        process.outputStream.close()
        var told = 0
        while (!process.waitFor(1, TimeUnit.SECONDS)) {
            val downloads = log.readLines().count { "Downloaded from" in it }
            if (downloads > told) tell("fetching Gatling: $downloads files so far")
            told = downloads
        }
        return process.exitValue()
    } finally {
        process.descendants().forEach { it.destroyForcibly() }
        process.destroyForcibly()
    }
}

private fun notBrought(code: Int, log: Path): String {
    val errors = log.readLines().filter { it.startsWith("[ERROR]") }.map { it.removePrefix("[ERROR]").trim() }
    val said = errors.filter { it.isNotEmpty() }.take(MOST_LINES).ifEmpty { log.readLines().takeLast(MOST_LINES) }
    return "Maven could not bring Gatling $GATLING_VERSION (exit code $code): ${said.joinToString(" | ")}. " +
        "A mirror or a proxy is said in Maven's settings.xml; without a network the artifacts must be in its local repository"
}

private const val MOST_LINES = 5

/** What running needs. Pages with charts are not drawn, so that the library for those is left out. */
private val POM = """
    <project xmlns="http://maven.apache.org/POM/4.0.0">
      <modelVersion>4.0.0</modelVersion>
      <groupId>bootdyno</groupId>
      <artifactId>gatling-fetched</artifactId>
      <version>1</version>
      <packaging>pom</packaging>
      <dependencies>
        <dependency>
          <groupId>io.gatling</groupId>
          <artifactId>gatling-app</artifactId>
          <version>$GATLING_VERSION</version>
        </dependency>
        <dependency>
          <groupId>io.gatling</groupId>
          <artifactId>gatling-http-java</artifactId>
          <version>$GATLING_VERSION</version>
        </dependency>
      </dependencies>
    </project>
""".trimIndent()
