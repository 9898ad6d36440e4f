package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engines.fetch.FETCHED
import bootdyno.engines.fetch.MavenProgram
import bootdyno.engines.fetch.fetchedOnce
import bootdyno.system.findOnPath
import bootdyno.system.ioOrNull
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarFile
import java.util.zip.ZipFile
import kotlin.io.path.name

/** The version that is downloaded if the user has none. */
internal const val JMETER_VERSION = "5.6.3"

/** Modules for users' plans. */
private val PARTS = listOf("config", "core", "components", "functions", "http", "java", "jdbc", "jms", "junit") +
    listOf("ldap", "mail", "tcp", "ftp", "native")

private val JMETER = MavenProgram(
    "JMeter $JMETER_VERSION",
    (listOf("ApacheJMeter") + PARTS.map { "ApacheJMeter_$it" }).map { "org.apache.jmeter:$it:$JMETER_VERSION" },
    // JMeter's Groovy 3.0.20 cannot compile scripts for JDK 25; this is a later version of the same line.
    boms = listOf("org.codehaus.groovy:groovy-bom:3.0.25"),
    instead = ", or set JMETER_HOME to a JMeter 5",
)

/** A JMeter installation with the layout of its distribution: `bin`, `lib`, `lib/ext`. */
internal class JMeterHome(val folder: Path, val version: String) {
    val jar: Path get() = jarIn(folder)

    companion object {
        /**
         * The user's JMeter 5 (`JMETER_HOME`, or `jmeter` on the PATH); otherwise our own in [cache], downloaded if missing; [tell] gets the
         * progress.
         * @throws EngineFailed if the download fails
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

        /** From the manifest of its core; null without a JMeter. */
        private fun versionOf(folder: Path): String? {
            val core = folder.resolve("lib/ext/ApacheJMeter_core.jar")
            if (!Files.isReadable(core) || !Files.isReadable(jarIn(folder))) return null
            return ioOrNull { JarFile(core.toFile()).use { it.manifest?.mainAttributes?.getValue("Implementation-Version") } }
        }

        private fun jarIn(folder: Path) = folder.resolve("bin/ApacheJMeter.jar")
    }
}

/**
 * Creates the distribution's layout: the launcher in `bin`, JMeter's own modules in `lib/ext` without version, all other jars in `lib`.
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

/** Replaces the [jar] of the settings by its files; `saveservice.properties` is needed to read plans. */
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
