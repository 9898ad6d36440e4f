package bootdyno.launch.prepare

import bootdyno.launch.Fingerprints
import bootdyno.launch.JavaRuntime
import bootdyno.launch.LaunchFailed
import bootdyno.model.PreparationStep
import bootdyno.model.Stage
import bootdyno.system.lastLines
import bootdyno.system.ledger.Ledger
import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/** A jar laid out in files: [jar] is what to start, [folder] all of it, [steps] what that took. */
internal data class Extraction(val jar: Path, val folder: Path, val steps: List<PreparationStep>)

/** All of it, as a JVM finds its classes. */
internal fun classPathOf(laidOut: Extraction): String {
    val libraries = laidOut.folder.resolve("lib").takeIf { Files.isDirectory(it) }
        ?.let { folder -> Files.newDirectoryStream(folder, "*.jar").use { it.sorted() } }.orEmpty()
    return (listOf(laidOut.jar) + libraries).joinToString(File.pathSeparator)
}

/** Lays jars out in files below [folder], each once; what that took counts for every form that needs it. Owned by one thread. */
internal class Extractions(private val folder: Path, private val ledger: Ledger) {
    private val fingerprints = Fingerprints()
    private val made = mutableMapOf<String, Extraction>()

    fun sha256(jar: Path): String = fingerprints.sha256(jar)

    /** Throws [LaunchFailed]. */
    fun of(jar: Path, java: JavaRuntime, log: Path): Extraction = made.getOrPut(sha256(jar)) { extract(jar, java, log) }

    private fun extract(jar: Path, java: JavaRuntime, log: Path): Extraction {
        val into = folder.resolve("extracted-${sha256(jar).take(SHORT_HASH)}")
        val words = listOf("${java.executable}", "-Djarmode=tools", "-jar", "$jar", "extract", "--destination", "$into")
        val began = TimeSource.Monotonic.markNow()
        ToolRun(ledger, log).toTheEnd("Extracting ${jar.fileName}", words, DEADLINE)
        val started = into.resolve(jar.fileName)
        if (!Files.isReadable(started)) {
            throw LaunchFailed(Stage.PREPARE, "Extracting ${jar.fileName} left no jar of that name.", lastLines(log, LINES))
        }
        return Extraction(started, into, listOf(PreparationStep("extract", began.elapsedNow().inSeconds(), words)))
    }

    private companion object {
        val DEADLINE = 2.minutes
        const val LINES = 20
    }
}

/** Digits of a hash that tell apart what lies in one folder. */
internal const val SHORT_HASH = 16

internal fun Duration.inSeconds(): Double = toDouble(DurationUnit.SECONDS)

/** Bytes of a file, or of all files below a folder. */
internal fun sizeOf(path: Path): Long =
    Files.walk(path).use { all -> all.filter(Files::isRegularFile).mapToLong(Files::size).sum() }
