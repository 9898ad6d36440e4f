package bootdyno.load.jmeter

import bootdyno.load.onPath
import java.io.IOException
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import java.util.jar.JarFile
import kotlin.io.path.name

/** The JMeter that is laid out where the user has none. */
internal const val JMETER_VERSION = "5.6.3"

/** A JMeter as its distribution lays it out: `bin`, `lib`, `lib/ext`. */
internal class JMeterHome(val folder: Path, val version: String) {
    val jar: Path get() = jarIn(folder)

    companion object {
        /**
         * The user's JMeter 5 (`JMETER_HOME`, or the one whose `jmeter` is on the PATH), else our own in [cache], which is
         * fetched if it is not there yet; [tell] is told of it.
         * @throws bootdyno.load.EngineFailed when it cannot be fetched.
         */
        fun find(cache: Path, tell: (String) -> Unit, environment: (String) -> String? = System::getenv): JMeterHome {
            val candidates = listOfNotNull(
                environment("JMETER_HOME")?.takeIf { it.isNotBlank() }?.let { "JMETER_HOME" to Path.of(it) },
                onPath("jmeter")?.toRealPath()?.parent?.parent?.let { "jmeter on the PATH" to it },
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
            if (!Files.isDirectory(folder)) layOut(folder, tell)
            return JMeterHome(folder, JMETER_VERSION)
        }

        /** In a folder beside it that takes its name when it is complete: never is half a JMeter found there. */
        private fun layOut(folder: Path, tell: (String) -> Unit) {
            Files.createDirectories(folder.parent)
            val fresh = Files.createTempDirectory(folder.parent, ".${folder.name}-")
            try {
                tell("Fetching JMeter $JMETER_VERSION with Maven, once, into $folder …")
                val jars = fetchJMeter(fresh, tell)
                tell("JMeter $JMETER_VERSION is there: $jars jars.")
                takeName(fresh.resolve(HOME), folder)
            } finally {
                deleteTree(fresh)
            }
        }

        private fun takeName(fresh: Path, folder: Path) {
            try {
                Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE)
            } catch (failure: FileSystemException) {
                // Another process was faster, and its work is as good.
                if (!Files.isDirectory(folder)) throw failure
            }
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

/** The folder that [fetchJMeter] makes the home in. */
internal const val HOME = "home"

/** Does not follow links: what they point to is somebody else's. */
internal fun deleteTree(folder: Path) {
    if (!Files.exists(folder)) return
    Files.walk(folder).use { paths -> paths.sorted(Comparator.reverseOrder()).forEach { Files.deleteIfExists(it) } }
}
