package bootdyno.launch.prepare

import bootdyno.launch.Fingerprints
import bootdyno.launch.JavaRuntime
import bootdyno.launch.LaunchFailed
import bootdyno.launch.SubjectLauncher
import bootdyno.model.PreparationStep
import bootdyno.model.Stage
import bootdyno.model.Variant
import bootdyno.system.lastLines
import bootdyno.system.ledger.Ledger
import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import java.time.OffsetDateTime
import java.time.temporal.ChronoUnit
import kotlin.time.Duration.Companion.minutes

/** A jar laid out in files: [jar] is what to start, [folder] all of it, [steps] what that took. */
internal data class Extraction(val jar: Path, val folder: Path, val steps: List<PreparationStep>) {
    /** All of it, as a JVM finds its classes. */
    val classPath: String
        get() {
            val libraries = folder.resolve("lib").takeIf { Files.isDirectory(it) }
                ?.let { lib -> Files.newDirectoryStream(lib, "*.jar").use { it.sorted() } }.orEmpty()
            return (listOf(jar) + libraries).joinToString(File.pathSeparator)
        }
}

/** What preparations share. It lays each jar out once below [folder]; what that took counts for every form that needs it. */
internal class Workplace(val folder: Path, private val ledger: Ledger, val trainer: SubjectLauncher) {
    private val fingerprints = Fingerprints()
    private val made = mutableMapOf<String, Extraction>()

    fun sha256(jar: Path): String = fingerprints.sha256(jar)

    /**
     * [jar] in files; where Spring decided on its beans without the settings of [variant], it decides again with them, in [own]. Throws
     * [LaunchFailed].
     */
    fun laidOut(jar: Path, contents: JarContents, variant: Variant, java: JavaRuntime, own: Path, log: Path): Extraction {
        val plain = made.getOrPut(sha256(jar)) { extract(jar, java, log) }
        if (!variant.decidesAnew) return plain
        val mainClass = contents.mainClass
            ?: throw LaunchFailed(Stage.PREPARE, "$jar names no main class, so Spring cannot decide on its beans again.")
        return SpringAotProcessing(java, ledger, log).of(plain, mainClass, variant, own)
    }

    private fun extract(jar: Path, java: JavaRuntime, log: Path): Extraction {
        val into = folder.resolve("extracted-${sha256(jar).take(SHORT_HASH)}")
        val words = listOf("${java.executable}", "-Djarmode=tools", "-jar", "$jar", "extract", "--destination", "$into")
        val step = ToolRun(ledger, log).step("extract", "Extracting ${jar.fileName}", words, LONGEST_EXTRACTION)
        val started = into.resolve(jar.fileName)
        if (!Files.isReadable(started)) {
            throw LaunchFailed(Stage.PREPARE, "Extracting ${jar.fileName} left no jar of that name.", lastLines(log, SHOWN_LINES))
        }
        return Extraction(started, into, listOf(step))
    }
}

internal val LONGEST_EXTRACTION = 2.minutes

/** Lines of a log that a failed preparation shows. */
internal const val SHOWN_LINES = 20

/** Digits of a hash that tell apart what lies in one folder. */
internal const val SHORT_HASH = 16

/** As a run folder says when something began. */
internal fun momentNow(): String = "${OffsetDateTime.now().truncatedTo(ChronoUnit.MILLIS)}"

/** Bytes of a file, or of all files below a folder. */
internal fun sizeOf(path: Path): Long =
    Files.walk(path).use { all -> all.filter(Files::isRegularFile).mapToLong(Files::size).sum() }
