package bootdyno.load.jmeter

import bootdyno.load.EngineFailed
import bootdyno.load.onPath
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import java.util.zip.ZipFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.writeText

/** As pinned in the parent POM, so that building the project has brought it. */
internal const val DEPENDENCY_PLUGIN_VERSION = "3.8.1"

/**
 * Makes a JMeter in the folder [HOME] of [folder] from its Maven artifacts, brought by the user's own Maven with the settings
 * it has; from the local repository alone if everything is there.
 * @return how many jars
 * @throws EngineFailed when there is no Maven, or when it cannot bring them.
 */
internal fun fetchJMeter(folder: Path, tell: (String) -> Unit, maven: Path? = onPath("mvn")): Int {
    if (maven == null) {
        throw EngineFailed(
            "JMeter $JMETER_VERSION is fetched with Maven, and there is no `mvn` on the PATH. Install Maven 3.8 or newer, or " +
                "set JMETER_HOME to a JMeter 5.",
        )
    }
    folder.resolve("pom.xml").writeText(POM)
    val jars = folder.resolve("jars")
    if (runMaven(maven, folder, listOf("--offline")) { } != 0) {
        val code = runMaven(maven, folder, emptyList(), tell)
        if (code != 0) throw EngineFailed(notBrought(code, folder.resolve(MAVEN_LOG)))
    }
    return layOut(jars, folder.resolve(HOME))
}

private fun runMaven(maven: Path, folder: Path, flags: List<String>, tell: (String) -> Unit): Int {
    val log = folder.resolve(MAVEN_LOG)
    val command = listOf("$maven", "--batch-mode", "-Dstyle.color=never") + flags + listOf(
        "org.apache.maven.plugins:maven-dependency-plugin:$DEPENDENCY_PLUGIN_VERSION:copy-dependencies",
        "-DincludeScope=runtime",
        "-DoutputDirectory=jars",
    )
    val process = ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log.toFile())
        .apply { environment()["JAVA_HOME"] = System.getProperty("java.home") }
        .start()
    try {
        process.outputStream.close()
        var told = 0
        while (!process.waitFor(1, TimeUnit.SECONDS)) {
            val files = log.readLines().count { "Downloaded from" in it }
            if (files > told) tell("JMeter $JMETER_VERSION: $files files so far")
            told = files
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
    return "Maven could not bring JMeter $JMETER_VERSION (exit code $code): ${said.joinToString(
        " | ",
    )}. A mirror or a proxy is " +
        "set in Maven's settings.xml; without a network its artifacts must be in the local repository, or JMETER_HOME set to a " +
        "JMeter 5."
}

/**
 * As the distribution does: the starter in `bin`, JMeter's own parts in `lib/ext` without their version, all others in `lib`.
 */
private fun layOut(jars: Path, home: Path): Int {
    val lib = home.resolve("lib")
    listOf("bin", "lib/ext", "lib/junit").forEach { Files.createDirectories(home.resolve(it)) }
    val files = jars.listDirectoryEntries("*.jar")
    files.forEach { jar ->
        val name = jar.name
        when {
            name.startsWith("ApacheJMeter_config") -> unpackBin(jar, home)
            name == "ApacheJMeter-$JMETER_VERSION.jar" -> Files.move(jar, home.resolve("bin/ApacheJMeter.jar"))
            name.startsWith("ApacheJMeter_") -> Files.move(jar, lib.resolve("ext").resolve(name.replace("-$JMETER_VERSION", "")))
            else -> Files.move(jar, lib.resolve(name))
        }
    }
    if (!Files.exists(home.resolve("bin/jmeter.properties"))) throw EngineFailed("JMeter's artifacts hold no settings: $files")
    return files.size
}

/** The settings, without whose `saveservice.properties` no plan is read. */
private fun unpackBin(jar: Path, home: Path) {
    ZipFile(jar.toFile()).use { zip ->
        zip.entries().asSequence().filter { !it.isDirectory && it.name.startsWith("bin/") }.forEach { entry ->
            val target = home.resolve(entry.name).normalize()
            check(target.startsWith(home)) { "an entry outside the home: ${entry.name}" }
            Files.createDirectories(target.parent)
            zip.getInputStream(entry).use { Files.copy(it, target) }
        }
    }
}

private const val MAVEN_LOG = "maven.log"
private const val MOST_LINES = 5

/** JMeter's own is 3.0.20, which compiles no script that names a class of JDK 25; this one is the same line. */
private const val GROOVY_VERSION = "3.0.25"

/** What plans of people use: HTTP is not all of it. */
private val PARTS = listOf("ApacheJMeter") + listOf(
    "config",
    "core",
    "components",
    "functions",
    "http",
    "java",
    "jdbc",
    "jms",
    "junit",
    "ldap",
    "mail",
    "tcp",
    "ftp",
    "native",
).map { "ApacheJMeter_$it" }

private val POM = """
    |<project xmlns="http://maven.apache.org/POM/4.0.0">
    |  <modelVersion>4.0.0</modelVersion>
    |  <groupId>bootdyno</groupId>
    |  <artifactId>jmeter-fetched</artifactId>
    |  <version>1</version>
    |  <packaging>pom</packaging>
    |  <dependencyManagement>
    |    <dependencies>
    |      <dependency>
    |        <groupId>org.codehaus.groovy</groupId>
    |        <artifactId>groovy-bom</artifactId>
    |        <version>$GROOVY_VERSION</version>
    |        <type>pom</type>
    |        <scope>import</scope>
    |      </dependency>
    |    </dependencies>
    |  </dependencyManagement>
    |  <dependencies>
    |${PARTS.joinToString("\n", transform = ::dependency)}
    |  </dependencies>
    |</project>
""".trimMargin()

private fun dependency(artifact: String) = """
    |    <dependency>
    |      <groupId>org.apache.jmeter</groupId>
    |      <artifactId>$artifact</artifactId>
    |      <version>$JMETER_VERSION</version>
    |    </dependency>
""".trimMargin()
