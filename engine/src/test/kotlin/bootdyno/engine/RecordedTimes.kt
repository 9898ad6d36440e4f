package bootdyno.engine

import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.GZIPInputStream
import java.util.zip.GZIPOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.inputStream
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.outputStream

/**
 * The times of an engine by what it wrote in each [TimingCase]: `src/test/resources/recorded/CASE/FILE.gz`. The engine was warm and had
 * priority; the machine had other work.
 *
 * With the property `record` a case is recorded again before it is read:
 * `./build -pl engines -am -Drecord -Dtest=RecordedLogTest -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false`.
 */
abstract class RecordedTimes : TimingKit {
    @TempDir
    lateinit var folder: Path
    private val recorded = mutableSetOf<String>()

    /** Carries out [order] with the real engine in the empty folder [into], and leaves there what it wrote. Returns which files to keep. */
    protected abstract fun record(order: LoadOrder, into: Path): List<Path>

    /** What [order] comes to by the files in [from] that were kept. */
    protected abstract fun read(order: LoadOrder, from: Path): LoadMeasured

    override fun measured(case: TimingCase): LoadMeasured {
        val kept = RECORDED.resolve(case.name)
        if (System.getProperty("record") != null && recorded.add(case.name)) recordAgain(case, kept)
        val files = Files.createTempDirectory(folder, case.name)
        kept.listDirectoryEntries("*.gz").forEach { packed ->
            GZIPInputStream(packed.inputStream()).use { Files.copy(it, files.resolve(packed.nameWithoutExtension)) }
        }
        return read(case.order(port = 1), files)
    }

    private fun recordAgain(case: TimingCase, kept: Path) {
        val written = case.serve { record(it, Files.createTempDirectory(folder, "record-")) }
        kept.createDirectories().listDirectoryEntries().forEach(Files::delete)
        written.forEach { file ->
            GZIPOutputStream(kept.resolve("${file.name}.gz").outputStream()).use { Files.copy(file, it) }
        }
    }

    private companion object {
        val RECORDED: Path = Path.of("src/test/resources/recorded")
    }
}

/** Drives, and keeps a link in [into] to each file of the name [file] that the engine writes beneath [into] and removes at its end. */
fun LoadEngine.driveKeeping(file: String, order: LoadOrder, into: Path): Path {
    val link = into.resolve(file)
    drive(order) {
        val written = Files.walk(into).use { all -> all.filter { it.name == file && it != link }.findFirst().orElse(null) }
        if (written != null) {
            Files.deleteIfExists(link)
            Files.createLink(link, written)
        }
    }
    return link
}
