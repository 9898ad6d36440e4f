package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.javaRuntime
import bootdyno.launch.prepare.SHORT_HASH
import bootdyno.launch.prepare.ToolRun
import bootdyno.launch.prepare.inSeconds
import bootdyno.launch.prepare.sizeOf
import bootdyno.launch.sha256Of
import bootdyno.model.Bytes
import bootdyno.model.PreparationStep
import bootdyno.model.Stage
import bootdyno.system.Inherited
import bootdyno.system.JVM_VARIABLES
import bootdyno.system.deleteTree
import bootdyno.system.ledger.IMAGE_PREFIX
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermission
import java.time.OffsetDateTime
import java.time.temporal.ChronoUnit
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource

/** An image as the engine has it. [java] is the command in it, [feature] its number; [dockerfile] names the file that was kept. */
internal data class BuiltImage(
    val reference: String,
    val id: String,
    val recipe: ImageRecipe,
    val dockerfile: String,
    val size: Bytes,
    val java: String,
    val feature: Int?,
    val hidden: List<String>,
    val steps: List<PreparationStep>,
    val startedAt: String,
)

/** Lays [jar] out in its layers by our own JDK, and has them built by `docker build`, nothing taken from an earlier build. */
internal class ImageBuild(private val jar: Path, private val java: String, private val images: Images) {
    private val base = images.place.baseImage
    private val user = userOfContainers()
    val id = sha256Of(listOf(images.fingerprints.sha256(jar), base, user, java).joinToString("\n")).take(SHORT_HASH)
    private val reference = "$IMAGE_PREFIX${imageName(jar)}:$id"
    private val kept = images.kept.resolve("${imageName(jar)}-$id.Dockerfile")
    private val steps = mutableListOf<PreparationStep>()

    /** Output goes to [log]. Throws [LaunchFailed]; an interrupt ends what it started. */
    fun once(log: Path): BuiltImage = images.built(id) {
        val startedAt = "${OffsetDateTime.now().truncatedTo(ChronoUnit.MILLIS)}"
        val context = images.folder.resolve("image-$id")
        deleteTree(context)
        val recipe = ImageRecipe(base, layOut(context, log), user)
        listOf(kept, context.resolve("Dockerfile")).forEach { file ->
            Files.createDirectories(file.parent)
            file.writeText(recipe.dockerfile())
        }
        build(context, log)
        deleteTree(context)
        lookedAt(recipe, startedAt)
    }

    /** @return the layers that hold something: engines have lost sight of one empty layer upon another */
    private fun layOut(context: Path, log: Path): List<String> {
        val layers = layersOf(jar)
        layers.names.forEach { Files.createDirectories(context.resolve(it)) }
        when (layers) {
            is JarLayers.Layered -> {
                val words = listOf("${javaRuntime(null).executable}", "-Djarmode=tools", "-jar", "$jar", "extract", "--layers") +
                    listOf("--force", "--application-filename", APPLICATION_FILE, "--destination", "$context")
                step("extract", words) {
                    ToolRun(images.ledger, log).toTheEnd("Extracting ${jar.fileName} in layers", words, EXTRACTING)
                }
            }

            is JarLayers.Whole -> Files.copy(jar, context.resolve(layers.names.single()).resolve(APPLICATION_FILE))
        }
        makeReadable(context)
        return layers.names.filter { sizeOf(context.resolve(it)) > 0 }
    }

    private fun build(context: Path, log: Path) {
        images.remember(reference)
        val words = images.cli.command("build", "--no-cache", "--force-rm", "--label=$LABEL=${ProcessHandle.current().pid()}") +
            listOf("--tag=$reference", "$context")
        step("docker build", words) {
            ToolRun(
                images.ledger,
                log,
                Inherited.DOCKER,
            ).toTheEnd("docker build of ${jar.fileName}", words, BUILDING, images.cli.environment)
        }
    }

    private fun step(name: String, words: List<String>, action: () -> Unit) {
        val began = TimeSource.Monotonic.markNow()
        action()
        steps += PreparationStep(name, began.elapsedNow().inSeconds(), words)
    }

    /** What the engine says of the image, and what the java in it says of itself. */
    private fun lookedAt(recipe: ImageRecipe, startedAt: String): BuiltImage {
        val format = "{{.Id}} {{.Size}} {{range .Config.Env}}{{.}} {{end}}"
        val shown = images.cli.ask("image", "inspect", "--format", format, reference)
        val said = shown.answer().split(' ')
        if (!shown.succeeded || said.size < 2) {
            throw LaunchFailed(Stage.PREPARE, "The image $reference cannot be looked at: ${shown.output}")
        }
        return BuiltImage(
            reference = reference,
            id = said[0],
            recipe = recipe,
            dockerfile = "${kept.fileName}",
            size = Bytes(said[1].toLong()),
            java = java,
            feature = featureInside(),
            hidden = said.drop(2).map { it.substringBefore('=') }.filter { it in JVM_VARIABLES },
            steps = steps.toList(),
            startedAt = startedAt,
        )
    }

    private fun featureInside(): Int? {
        val words = listOf("run", "--rm", "--network=none", "--pull=never", "--label=$LABEL=${ProcessHandle.current().pid()}")
        val asked = images.cli.ask(words + listOf(reference, java, "-XshowSettings:properties", "-version"))
        if (asked.succeeded) return javaFeatureIn(asked.output)
        throw LaunchFailed(
            Stage.PREPARE,
            "The base image $base has no `$java` that can be started: name another one by --base-image, or say where " +
                "its java is by `java` in the variant.",
            asked.output.lines().takeLast(LINES),
        )
    }

    private companion object {
        val EXTRACTING = 2.minutes
        val BUILDING = 30.minutes
        const val LINES = 20
        const val APPLICATION_FILE = "app.jar"
    }
}

/** `    java.specification.version = 25` among the properties; 1.8 is 8. */
internal fun javaFeatureIn(properties: String): Int? = properties.lineSequence().map { it.trim() }
    .find { it.startsWith("java.specification.version = ") }?.substringAfter("= ")?.removePrefix("1.")?.toIntOrNull()

/** What may stand in the name of an image. */
internal fun imageName(jar: Path): String =
    jar.nameWithoutExtension.lowercase().replace(Regex("[^a-z0-9]+"), "-").trim('-').ifEmpty { "app" }

/** For whoever runs the container, whatever our umask is. */
private fun makeReadable(folder: Path) = Files.walk(folder).use { all ->
    all.forEach { path ->
        val may = Files.getPosixFilePermissions(path) + PosixFilePermission.GROUP_READ + PosixFilePermission.OTHERS_READ
        Files.setPosixFilePermissions(path, if (Files.isDirectory(path)) may + TO_ENTER else may)
    }
}

private val TO_ENTER = setOf(PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE)
