package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engines.fetch.FETCHED
import bootdyno.engines.fetch.MavenProgram
import bootdyno.engines.fetch.fetchedOnce
import bootdyno.system.findOnPath
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarFile
import java.util.zip.ZipFile
import kotlin.io.path.name

/** The JMeter that is laid out where the user has none. */
internal const val JMETER_VERSION = "5.6.3"

/** What users' plans need: more than HTTP. */
private val PARTS = listOf("config", "core", "components", "functions", "http", "java", "jdbc", "jms", "junit") +
    listOf("ldap", "mail", "tcp", "ftp", "native")

private val JMETER = MavenProgram(
    "JMeter $JMETER_VERSION",
    (listOf("ApacheJMeter") + PARTS.map { "ApacheJMeter_$it" }).map { "org.apache.jmeter:$it:$JMETER_VERSION" },
    // JMeter's own Groovy is 3.0.20, which compiles no script that names a class of JDK 25; this one is the same line.
    boms = listOf("org.codehaus.groovy:groovy-bom:3.0.25"),
    instead = ", or set JMETER_HOME to a JMeter 5",
)

/** A JMeter as its distribution lays it out: `bin`, `lib`, `lib/ext`. */
internal class JMeterHome(val folder: Path, val version: String) {
    val jar: Path get() = jarIn(folder)

    companion object {
        /**
         * The user's JMeter 5 (`JMETER_HOME`, or the one whose `jmeter` is on the PATH), else our own in [cache], which is
         * fetched if it is not there yet; [tell] is told of it.
         * @throws EngineFailed when it cannot be fetched.
         */
        fun find(cache: Path, tell: (String) -> Unit, environment: (String) -> String? = System::getenv): JMeterHome {
            val candidates = listOfNotNull(
                environment("JMETER_HOME")?.takeIf { it.isNotBlank() }?.let { "JMETER_HOME" to Path.of(it) },
                findOnPath("jmeter")?.toRealPath()?.parent?.parent?.let { "jmeter on the PATH" to it },
            )
            candidates.forEach { (source, folder) ->
                val version = versionOf(folder)
                if (version != null && version.startsWith("5.")) return JMeterHome(folder, version)
                tell("$source is not used: $folder holds ${version?.let { "JMeter $it" } ?: "no JMeter"}, and it takes 5.x")
            }
            return JMeterHome(fetchedOnce(JMETER, cache, tell, ::layOut), JMETER_VERSION)
        }

        /** As the manifest of its core says; null where there is no JMeter. */
        private fun versionOf(folder: Path): String? {
            val core = folder.resolve("lib/ext/ApacheJMeter_core.jar")
            if (!Files.isReadable(core) || !Files.isReadable(jarIn(folder))) return null
            return try {
                JarFile(core.toFile()).use { it.manifest?.mainAttributes?.getValue("Implementation-Version") }
            } catch (_: IOException) {
                null
            }
        }

        private fun jarIn(folder: Path) = folder.resolve("bin/ApacheJMeter.jar")
    }
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
            name.startsWith("ApacheJMeter_config") -> unpackBin(jar, home)
            name == "ApacheJMeter-$JMETER_VERSION.jar" -> Files.move(jar, home.resolve("bin/ApacheJMeter.jar"))
            name.startsWith("ApacheJMeter_") -> Files.move(jar, lib.resolve("ext").resolve(name.replace("-$JMETER_VERSION", "")))
        }
    }
    if (!Files.exists(home.resolve("bin/jmeter.properties"))) throw EngineFailed("JMeter's artifacts hold no settings: $jars")
}

/** The settings, without whose `saveservice.properties` no plan is read, in place of their [jar]. */
private fun unpackBin(jar: Path, home: Path) {
    ZipFile(jar.toFile()).use { zip ->
        zip.entries().asSequence().filter { !it.isDirectory && it.name.startsWith("bin/") }.forEach { entry ->
            val target = home.resolve(entry.name).normalize()
            check(target.startsWith(home)) { "an entry outside the home: ${entry.name}" }
            Files.createDirectories(target.parent)
            zip.getInputStream(entry).use { Files.copy(it, target) }
        }
    }
    Files.delete(jar)
}
