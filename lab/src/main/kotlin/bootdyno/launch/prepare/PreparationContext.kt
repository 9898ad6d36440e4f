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

/** An extracted jar: [jar] is the file to start, [folder] has all files, [steps] is the cost. */
internal data class Extraction(val jar: Path, val folder: Path, val steps: List<PreparationStep>) {
    /** Class path of all files. */
    val classPath: String
        get() {
            val libraries = folder.resolve("lib").takeIf { Files.isDirectory(it) }
                ?.let { lib -> Files.newDirectoryStream(lib, "*.jar").use { it.sorted() } }.orEmpty()
            return (listOf(jar) + libraries).joinToString(File.pathSeparator)
        }
}

/** Shared by preparations: extracts each jar once below [folder]; each form that needs it includes the cost. */
internal class PreparationContext(val folder: Path, private val ledger: Ledger, val trainer: SubjectLauncher) {
    private val fingerprints = Fingerprints()
    private val made = mutableMapOf<String, Extraction>()

    fun sha256(jar: Path): String = fingerprints.sha256(jar)

    /** [jar] and what it needs beside it: a cache is valid for these files at these paths only. */
    fun identity(jar: Path): String = (listOf(jar) + filesBeside(jar)).joinToString("\n") { "$it ${sha256(it)}" }

    /**
     * Extracts [jar]. If the variant has settings that Spring AOT did not have at build time, runs it again in [own]. Throws [LaunchFailed].
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

/** Log lines in the message of a failed preparation. */
internal const val SHOWN_LINES = 20

/** Digits of a hash that identify files in a folder. */
internal const val SHORT_HASH = 16

/** Time format of the run folder. */
internal fun momentNow(): String = "${OffsetDateTime.now().truncatedTo(ChronoUnit.MILLIS)}"

/** Size of a file, or of all files in a folder. */
internal fun sizeOf(path: Path): Long =
    Files.walk(path).use { all -> all.filter(Files::isRegularFile).mapToLong(Files::size).sum() }
