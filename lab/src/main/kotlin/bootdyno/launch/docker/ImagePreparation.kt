package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.javaRuntime
import bootdyno.launch.prepare.LONGEST_EXTRACTION
import bootdyno.launch.prepare.Preparation
import bootdyno.launch.prepare.SHOWN_LINES
import bootdyno.launch.prepare.SPRING_AOT_FLAG
import bootdyno.launch.prepare.ToolRun
import bootdyno.launch.prepare.contentsOf
import bootdyno.launch.prepare.copyApplication
import bootdyno.launch.prepare.filesBeside
import bootdyno.launch.prepare.momentNow
import bootdyno.launch.prepare.shortHash
import bootdyno.launch.prepare.sizeOf
import bootdyno.launch.prepare.whyNotSpringAot
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.ImageFound
import bootdyno.model.PreparationStep
import bootdyno.model.PreparedFound
import bootdyno.model.RuntimeForm
import bootdyno.model.Stage
import bootdyno.system.Inherited
import bootdyno.system.JVM_VARIABLES
import bootdyno.system.deleteTree
import bootdyno.system.ledger.IMAGE_PREFIX
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermission
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.minutes

/** A built image of a plain jar. */
internal data class BuiltImage(val program: Program.Image, val found: PreparedFound)

/**
 * Builds the image of a jar: our own JDK extracts its layers, and `docker build` runs without cache. All runtime forms share one image.
 */
internal class ImagePreparation(cell: Cell, private val jar: Path, private val images: Images) : Preparation.Work {
    private val form = cell.variant.runtime
    private val java = cell.variant.java ?: "java"
    private val base = images.place.baseImage
    private val user = userOfContainers()
    private val id = shortHash((listOf(jar) + filesBeside(jar)).map(images.fingerprints::sha256) + listOf(base, user, java))
    private val reference = "$IMAGE_PREFIX${imageName(jar)}:$id"
    private var built: BuiltImage? = null

    override val key: String = "image-$id-${form.word}"

    override fun make(log: Path) {
        val contents = contentsOf(jar)
        if (form == RuntimeForm.SPRING_AOT) contents.whyNotSpringAot(jar)?.let { throw LaunchFailed(Stage.PREPARE, it) }
        built = images.built(id) { build(contents.layers, log) }
    }

    override fun prepared(): Prepared {
        val image = checkNotNull(built) { "$key was not built" }
        val flags = listOfNotNull(SPRING_AOT_FLAG.takeIf { form == RuntimeForm.SPRING_AOT })
        return Prepared(image.program.copy(flags = flags), image.found.copy(form = form))
    }

    private fun build(layers: List<String>, log: Path): BuiltImage {
        val startedAt = momentNow()
        val context = images.folder.resolve("image-$id")
        deleteTree(context)
        val folders = layers.ifEmpty { listOf("application") }
        folders.forEach { Files.createDirectories(context.resolve(it)) }
        val extracted = if (layers.isEmpty()) null else extract(context, log)
        // A jar that cannot extract itself is a single layer.
        if (extracted == null) copyApplication(jar, context.resolve(folders.single()), APPLICATION_FILE)
        makeReadable(context)
        // Some engines lose one of two consecutive empty layers.
        val filled = folders.filter { sizeOf(context.resolve(it)) > 0 }
        val kept = images.kept.resolve("${imageName(jar)}-$id.Dockerfile")
        listOf(kept, context.resolve("Dockerfile")).forEach { file ->
            Files.createDirectories(file.parent)
            file.writeText(dockerfile(base, filled, user))
        }
        images.remember(reference)
        val words = images.cli.command("build", "--no-cache", "--force-rm", "--label=$LABEL=${ProcessHandle.current().pid()}") +
            listOf("--tag=$reference", "$context")
        val dockerBuild = ToolRun(images.ledger, log, Inherited.DOCKER)
            .step("docker build", "docker build of ${jar.fileName}", words, BUILDING, images.cli.environment)
        deleteTree(context)
        return lookedAt(filled, "${kept.fileName}", listOfNotNull(extracted, dockerBuild), startedAt)
    }

    private fun extract(context: Path, log: Path): PreparationStep {
        val words = listOf("${javaRuntime(null).executable}", "-Djarmode=tools", "-jar", "$jar", "extract", "--layers") +
            listOf("--force", "--application-filename", APPLICATION_FILE, "--destination", "$context")
        return ToolRun(images.ledger, log).step("extract", "Extracting ${jar.fileName} in layers", words, LONGEST_EXTRACTION)
    }

    /** Reads the properties of the built image, and the version of its java. */
    private fun lookedAt(layers: List<String>, dockerfile: String, steps: List<PreparationStep>, startedAt: String): BuiltImage {
        val format = "{{.Id}} {{.Size}} {{range .Config.Env}}{{.}} {{end}}"
        val shown = images.cli.ask("image", "inspect", "--format", format, reference)
        val fields = shown.answer().split(' ')
        if (!shown.succeeded || fields.size < 2) {
            throw LaunchFailed(Stage.PREPARE, "The image $reference cannot be looked at: ${shown.output}")
        }
        val hidden = fields.drop(2).map { it.substringBefore('=') }.filter { it in JVM_VARIABLES }
        val sizes = mapOf(Artifact.JAR to Bytes(sizeOf(jar)), Artifact.IMAGE to Bytes(fields[1].toLong()))
        val image = ImageFound(reference, fields[0], base, user, layers, dockerfile)
        return BuiltImage(
            Program.Image(reference, java, featureInside(), flags = emptyList(), hidden),
            PreparedFound(RuntimeForm.JAR, steps, sizes, startedAt, image),
        )
    }

    private fun featureInside(): Int? {
        val words = listOf("run", "--rm", "--network=none", "--pull=never", "--label=$LABEL=${ProcessHandle.current().pid()}")
        val printed = images.cli.ask(words + listOf(reference, java, "-XshowSettings:properties", "-version"))
        if (printed.succeeded) return javaFeatureIn(printed.output)
        throw LaunchFailed(
            Stage.PREPARE,
            "The base image $base has no `$java` that can be started: name another one by --base-image, or say where " +
                "its java is by `java` in the variant.",
            printed.output.lines().takeLast(SHOWN_LINES),
        )
    }
}

private val BUILDING = 30.minutes
private const val APPLICATION_FILE = "app.jar"

/** The version in the line `    java.specification.version = 25`; 8 for 1.8. */
internal fun javaFeatureIn(properties: String): Int? = properties.lineSequence().map { it.trim() }
    .find { it.startsWith("java.specification.version = ") }?.substringAfter("= ")?.removePrefix("1.")?.toIntOrNull()

/** The jar's name as a valid image name. */
internal fun imageName(jar: Path): String =
    jar.nameWithoutExtension.lowercase().replace(Regex("[^a-z0-9]+"), "-").trim('-').ifEmpty { "app" }

/** Readable for the user of the container, whatever our umask is. */
private fun makeReadable(folder: Path) = Files.walk(folder).use { all ->
    all.forEach { path ->
        val may = Files.getPosixFilePermissions(path) + PosixFilePermission.GROUP_READ + PosixFilePermission.OTHERS_READ
        Files.setPosixFilePermissions(path, if (Files.isDirectory(path)) may + TO_ENTER else may)
    }
}

private val TO_ENTER = setOf(PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE)
