package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Program
import bootdyno.launch.javaRuntime
import bootdyno.launch.propertiesOf
import bootdyno.model.Artifact
import bootdyno.model.Cell
import bootdyno.model.Stage
import bootdyno.model.Variant
import bootdyno.system.lastLines
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarFile

/** Builds an executable from a jar with Spring AOT, as in Spring Boot's documentation for executable jars. */
internal class NativePreparation(
    cell: Cell,
    jar: Path,
    contents: JarContents,
    private val tool: NativeImage,
    context: PreparationContext,
) : JarPreparation(cell, jar, contents, javaRuntime(null), context, keyOf(cell.variant, tool, context.sha256(jar))) {
    private val executable = own.resolve("app")
    override val program get() = Program.Executable(executable)
    override val made get() = mapOf(Artifact.EXECUTABLE to executable)

    override fun make(log: Path) {
        super.make(log)
        val laidOut = checkNotNull(extraction) { "$jar has no libraries nested in it" }
        val arguments = nativeArguments(argumentFile(), laidOut, contents.mainClass, executable)
        steps += tool.build("native-image of ${jar.fileName}", arguments, reads = laidOut.folder, writes = own, log)
        if (!Files.isExecutable(executable)) {
            throw LaunchFailed(Stage.PREPARE, "native-image ended and left no executable.", lastLines(log, SHOWN_LINES))
        }
    }

    /** The file with arguments for native-image from the jar's own build. */
    private fun argumentFile(): Path? {
        if (!contents.nativeArguments) return null
        val file = own.resolve("argfile")
        JarFile(jar.toFile()).use { archive ->
            archive.getInputStream(archive.getEntry(NATIVE_ARGUMENTS)).use { Files.write(file, it.readAllBytes()) }
        }
        return file
    }
}

private fun keyOf(variant: Variant, tool: NativeImage, sha256: String): String {
    val settings = if (variant.decidesAnew) propertiesOf(variant) + variant.environment.map { "$it" } else emptyList()
    return "native-${shortHash(listOf(sha256, tool.name) + settings)}"
}

/** Arguments that build [executable]; hints of the classes are found on the class path. */
internal fun nativeArguments(file: Path?, from: Extraction, mainClass: String?, executable: Path): List<String> =
    listOfNotNull(file?.let { "@$it" }) +
        listOf("--no-fallback", "-o", "$executable", "-cp", from.classPath) + listOfNotNull(mainClass)
