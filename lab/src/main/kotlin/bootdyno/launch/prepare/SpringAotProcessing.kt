package bootdyno.launch.prepare

import bootdyno.launch.JavaRuntime
import bootdyno.launch.LaunchFailed
import bootdyno.launch.propertiesOf
import bootdyno.launch.secretsInFile
import bootdyno.model.PreparationStep
import bootdyno.model.Stage
import bootdyno.model.Variant
import bootdyno.model.redactCommandLine
import bootdyno.system.ledger.Ledger
import java.io.File
import java.io.IOException
import java.nio.file.FileSystems
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.extension
import kotlin.io.path.writeText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

/** Whether Spring AOT must run again, because the variant has settings that the build did not have. */
internal val Variant.decidesAnew: Boolean get() = runtime.springAot && propertiesOf(this).isNotEmpty()

/**
 * Runs Spring AOT on an extracted jar with the settings of a variant, like the goal `process-aot` of Spring Boot's build plugins. Its output is
 * appended to [log].
 */
internal class SpringAotProcessing(private val java: JavaRuntime, private val ledger: Ledger, private val log: Path) {
    /** A copy of [from] in [into], processed with the settings of [variant]. Throws [LaunchFailed]. */
    fun of(from: Extraction, mainClass: String, variant: Variant, into: Path): Extraction = try {
        process(from, mainClass, variant, into)
    } catch (failed: IOException) {
        val why = "What Spring decides ahead of time for ${from.jar.fileName} cannot be kept in $into: ${failed.message}."
        throw LaunchFailed(Stage.PREPARE, why, cause = failed)
    }

    private fun process(from: Extraction, mainClass: String, variant: Variant, into: Path): Extraction {
        val folder = into.resolve("laid-out")
        from.folder.toFile().copyRecursively(folder.toFile())
        val jar = folder.resolve(from.folder.relativize(from.jar))
        val classPath = Extraction(jar, folder, emptyList()).classPath
        val (sources, resources, classes) = listOf("sources", "resources", "classes").map {
            Files.createDirectories(into.resolve(it))
        }
        val processing = listOf("${java.executable}") + propertiesOf(variant) + listOf("-cp", classPath, PROCESSOR, mainClass) +
            listOf("$sources", "$resources", "$classes", GROUP, "${jar.fileName}")
        val decided =
            step("process-aot", "Spring's ahead-of-time processing of ${jar.fileName}", processing, into, variant.environment)
        val compiling = listOf("${java.executable.resolveSibling("javac")}", "-nowarn", "-proc:none", "-parameters") +
            listOf("-encoding", "UTF-8", "-d", "$classes", "-cp", classes.toString() + File.pathSeparator + classPath) +
            "@${listOfFiles(sources, into.resolve("sources.txt"))}"
        val compiled = step("javac", "Compiling what Spring decided for ${jar.fileName}", compiling, into)
        put(listOf(classes, resources), jar)
        return Extraction(jar, folder, from.steps + decided + compiled)
    }

    private fun step(
        name: String,
        what: String,
        words: List<String>,
        folder: Path,
        environment: Map<String, String> = emptyMap(),
    ): PreparationStep = ToolRun(ledger, log).step(name, what, secretsInFile(words, folder), DEADLINE, environment)
        .copy(commandLine = redactCommandLine(words))
}

/** Of Spring Boot 3 and later. */
private const val PROCESSOR = "org.springframework.boot.SpringApplicationAotProcessor"

/** Folder of the hints for native-image, which reads all such folders. */
private const val GROUP = "bootdyno"
private val DEADLINE: Duration = 5.minutes

/** Writes the list of all sources below [sources] to [list], in javac's format. */
private fun listOfFiles(sources: Path, list: Path): Path {
    val files = Files.walk(sources).use { all -> all.filter { it.extension == "java" }.toList() }
    if (files.isEmpty()) throw LaunchFailed(Stage.PREPARE, "Spring's ahead-of-time processing ended and left nothing.")
    list.writeText(files.joinToString("\n") { "\"${"$it".replace("\\", "\\\\")}\"" })
    return list
}

/** Adds all files below [roots] to [jar], replacing files of the same name. */
private fun put(roots: List<Path>, jar: Path) = FileSystems.newFileSystem(jar).use { inside ->
    roots.forEach { root ->
        Files.walk(root).use { all ->
            all.filter { Files.isRegularFile(it) }.forEach { file ->
                val target = inside.getPath("/").resolve("${root.relativize(file)}")
                Files.createDirectories(target.parent)
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING)
            }
        }
    }
}
