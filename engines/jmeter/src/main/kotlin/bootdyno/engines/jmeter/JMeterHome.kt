package bootdyno.engines.jmeter

import bootdyno.system.findOnPath
import bootdyno.system.madeOnce
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarFile

/** The JMeter that is laid out where the user has none. */
internal const val JMETER_VERSION = "5.6.3"

/** A JMeter as its distribution lays it out: `bin`, `lib`, `lib/ext`. */
internal class JMeterHome(val folder: Path, val version: String) {
    val jar: Path get() = jarIn(folder)

    companion object {
        /**
         * The user's JMeter 5 (`JMETER_HOME`, or the one whose `jmeter` is on the PATH), else our own in [cache], which is
         * fetched if it is not there yet; [tell] is told of it.
         * @throws bootdyno.engine.EngineFailed when it cannot be fetched.
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
            return inside(cache, tell)
        }

        fun inside(cache: Path, tell: (String) -> Unit): JMeterHome {
            val folder = cache.toAbsolutePath().resolve("jmeter-$JMETER_VERSION")
            madeOnce(folder) { fresh ->
                tell("Fetching JMeter $JMETER_VERSION, once, into $folder …")
                val jars = fetchJMeter(fresh, tell)
                tell("JMeter $JMETER_VERSION is there: $jars jars.")
            }
            return JMeterHome(folder, JMETER_VERSION)
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
