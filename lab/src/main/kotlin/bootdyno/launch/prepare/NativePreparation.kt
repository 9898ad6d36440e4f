package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.javaRuntime
import bootdyno.launch.propertiesOf
import bootdyno.launch.sha256Of
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.PreparationStep
import bootdyno.model.PreparedFound
import bootdyno.model.Stage
import bootdyno.system.lastLines
import java.nio.file.Files
import java.nio.file.Path
import java.time.OffsetDateTime
import java.time.temporal.ChronoUnit
import java.util.jar.JarFile
import kotlin.time.TimeSource

/** An executable built from a jar that was processed ahead of time, the way Spring Boot's documentation converts an executable jar. */
internal class NativePreparation(
    cell: Cell,
    private val jar: Path,
    private val contents: JarContents,
    private val tool: NativeImage,
    private val workplace: Workplace,
) : Preparation.Work {
    private val variant = cell.variant
    private val java = javaRuntime(null)
    private val own = workplace.folder.resolve("native-" + sha256Of(whatDecides().joinToString("\n")).take(SHORT_HASH))
    private val executable = own.resolve("app")
    private val steps = mutableListOf<PreparationStep>()
    private var startedAt: String? = null

    override val key: String = "${own.fileName}"

    override fun make(log: Path) {
        startedAt = "${OffsetDateTime.now().truncatedTo(ChronoUnit.MILLIS)}"
        Files.createDirectories(own)
        val extraction = workplace.laidOut(jar, contents, variant, java, own, log)
        val arguments = nativeArguments(argumentFile(), extraction, contents.mainClass, executable)
        val began = TimeSource.Monotonic.markNow()
        val words = tool.build("native-image of ${jar.fileName}", arguments, reads = extraction.folder, writes = own, log)
        if (!Files.isExecutable(executable)) {
            throw LaunchFailed(Stage.PREPARE, "native-image ended and left no executable.", lastLines(log, LINES))
        }
        steps += extraction.steps + PreparationStep("native-image", began.elapsedNow().inSeconds(), words)
    }

    override fun prepared(): Prepared {
        val sizes = mapOf(Artifact.JAR to Bytes(sizeOf(jar)), Artifact.EXECUTABLE to Bytes(Files.size(executable)))
        return Prepared(Program.Executable(executable), PreparedFound(variant.runtime, steps.toList(), sizes, startedAt))
    }

    private fun whatDecides(): List<String> {
        val settings = if (variant.decidesAnew) propertiesOf(variant) + variant.environment.map { "$it" } else emptyList()
        return listOf(workplace.extractions.sha256(jar), tool.name) + settings
    }

    /** What the jar's own build had to say to native-image. */
    private fun argumentFile(): Path? {
        if (!contents.nativeArguments) return null
        val file = own.resolve("argfile")
        JarFile(jar.toFile()).use { archive ->
            archive.getInputStream(archive.getEntry(NATIVE_ARGUMENTS)).use { Files.write(file, it.readAllBytes()) }
        }
        return file
    }

    private companion object {
        const val LINES = 20
    }
}

/** What builds [executable]; the classes' own directions for native-image are found on the class path. */
internal fun nativeArguments(file: Path?, from: Extraction, mainClass: String?, executable: Path): List<String> =
    listOfNotNull(file?.let { "@$it" }) +
        listOf("--no-fallback", "-o", "$executable", "-cp", classPathOf(from)) + listOfNotNull(mainClass)
