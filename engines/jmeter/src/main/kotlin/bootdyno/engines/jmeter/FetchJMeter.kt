package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engines.fetch.FETCHED
import bootdyno.engines.fetch.MavenProgram
import bootdyno.engines.fetch.fetchProgram
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.ZipFile
import kotlin.io.path.name

/**
 * Lays out a JMeter in [folder], of its Maven artifacts.
 * @return how many jars
 * @throws EngineFailed when they cannot be fetched.
 */
internal fun fetchJMeter(folder: Path, tell: (String) -> Unit): Int {
    val jars = fetchProgram(JMETER, folder, tell)
    layOut(jars, folder)
    return jars.size
}

/**
 * As the distribution does: the starter in `bin`, JMeter's own parts in `lib/ext` without their version, all others in `lib`, where
 * they were laid.
 */
private fun layOut(jars: List<Path>, home: Path) {
    val lib = home.resolve(FETCHED)
    listOf(home.resolve("bin"), lib.resolve("ext"), lib.resolve("junit")).forEach { Files.createDirectories(it) }
    jars.forEach { jar ->
        val name = jar.name
        when {
            name.startsWith("ApacheJMeter_config") -> {
                unpackBin(jar, home)
                Files.delete(jar)
            }

            name == "ApacheJMeter-$JMETER_VERSION.jar" -> Files.move(jar, home.resolve("bin/ApacheJMeter.jar"))

            name.startsWith("ApacheJMeter_") -> Files.move(jar, lib.resolve("ext").resolve(name.replace("-$JMETER_VERSION", "")))
        }
    }
    if (!Files.exists(home.resolve("bin/jmeter.properties"))) throw EngineFailed("JMeter's artifacts hold no settings: $jars")
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

/** What users' plans need: more than HTTP. */
private val PARTS = listOf(
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
)

private val JMETER = MavenProgram(
    "JMeter $JMETER_VERSION",
    (listOf("ApacheJMeter") + PARTS.map { "ApacheJMeter_$it" }).map { "org.apache.jmeter:$it:$JMETER_VERSION" },
    // JMeter's own Groovy is 3.0.20, which compiles no script that names a class of JDK 25; this one is the same line.
    boms = listOf("org.codehaus.groovy:groovy-bom:3.0.25"),
    instead = ", or set JMETER_HOME to a JMeter 5",
)
