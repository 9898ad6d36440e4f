package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.model.PreparationStep
import bootdyno.system.ledger.Ledger
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isExecutable
import kotlin.io.path.isRegularFile
import kotlin.io.path.name
import kotlin.time.Duration.Companion.minutes

/** GraalVM's native-image, installed or in a container. */
interface NativeImage {
    /** Its path, or the name of its image. */
    val name: String

    /**
     * Runs it with [arguments]; it reads files in [reads] and writes to [writes]; its output is appended to [log]. [what] is the build's name in
     * sentences. Throws [LaunchFailed]; an interrupt ends it.
     */
    fun build(what: String, arguments: List<String>, reads: Path, writes: Path, log: Path): PreparationStep
}

class InstalledNativeImage(private val tool: Path, private val ledger: Ledger) : NativeImage {
    override val name = "$tool"

    override fun build(what: String, arguments: List<String>, reads: Path, writes: Path, log: Path): PreparationStep =
        ToolRun(ledger, log).step(NATIVE_IMAGE, what, listOf(name) + arguments, LONGEST_NATIVE_BUILD)
}

/** Name of the program and of the step. */
internal const val NATIVE_IMAGE = "native-image"

/** Time limit of a build. */
internal val LONGEST_NATIVE_BUILD = 30.minutes

/** Message and advice without native-image. */
const val NO_NATIVE_IMAGE = "No native-image was found by GRAALVM_HOME, on the PATH or among SDKMAN's JDKs. " +
    "Install a GraalVM (sdk install java 25-graalce) and set GRAALVM_HOME to its folder."

/** Further advice. */
const val OR_IN_A_CONTAINER = "Or run a Docker engine, and it is built in a container."

/** The native-image of this machine; null without one. */
fun nativeImageHere(): Path? = nativeImage(System.getenv(), Path.of(System.getProperty("user.home")))

/** Searches GRAALVM_HOME, the PATH, and SDKMAN's JDKs (`SDKMAN_DIR`, `~/.sdkman`), the current one first. */
internal fun nativeImage(environment: Map<String, String>, home: Path): Path? {
    val graal = environment["GRAALVM_HOME"]?.let { listOf(Path.of(it, "bin")) }.orEmpty()
    val path = environment["PATH"].orEmpty().split(':').filter { it.isNotEmpty() }.map { Path.of(it) }
    val candidates = (environment["SDKMAN_DIR"]?.let { Path.of(it) } ?: home.resolve(".sdkman")).resolve("candidates/java")
    val installed = if (Files.isDirectory(candidates)) Files.newDirectoryStream(candidates).use { it.toList() } else emptyList()
    // The newest by name; `current` is a link to the one in use.
    val sdkman = installed.sortedWith(compareByDescending<Path> { it.name == "current" }.thenByDescending { it.name })
    return (graal + path + sdkman.map { it.resolve("bin") }).map { it.resolve(NATIVE_IMAGE) }
        .find { it.isRegularFile() && it.isExecutable() }
}
