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

/** What builds executables of jars: GraalVM's native-image, wherever it is. */
interface NativeImage {
    /** Which one: its path, or the image it is in. */
    val name: String

    /**
     * Runs it with [arguments], reading what is in [reads] and writing into [writes]; its output is added to [log]. [what] names the build in
     * sentences. Throws [LaunchFailed]; an interrupt ends it.
     */
    fun build(what: String, arguments: List<String>, reads: Path, writes: Path, log: Path): PreparationStep
}

/** The one that is installed as [tool]. */
class InstalledNativeImage(private val tool: Path, private val ledger: Ledger) : NativeImage {
    override val name = "$tool"

    override fun build(what: String, arguments: List<String>, reads: Path, writes: Path, log: Path): PreparationStep =
        ToolRun(ledger, log).step(NATIVE_IMAGE, what, listOf(name) + arguments, LONGEST_NATIVE_BUILD)
}

/** The program, and the step it is. */
internal const val NATIVE_IMAGE = "native-image"

/** Hours are not unheard of, but not for what anybody wants to measure. */
internal val LONGEST_NATIVE_BUILD = 30.minutes

/** What to say and to do where there is none. */
const val NO_NATIVE_IMAGE = "No native-image was found by GRAALVM_HOME, on the PATH or among SDKMAN's JDKs. " +
    "Install a GraalVM (sdk install java 25-graalce) and set GRAALVM_HOME to its folder."

/** What else there is to do. */
const val OR_IN_A_CONTAINER = "Or run a Docker engine, and it is built in a container."

/** The native-image of this machine; null where there is none. */
fun nativeImageHere(): Path? = nativeImage(System.getenv(), Path.of(System.getProperty("user.home")))

/** By GRAALVM_HOME, then on the PATH, then among the JDKs of SDKMAN (`SDKMAN_DIR`, `~/.sdkman`), the one in use first. */
internal fun nativeImage(environment: Map<String, String>, home: Path): Path? {
    val graal = environment["GRAALVM_HOME"]?.let { listOf(Path.of(it, "bin")) }.orEmpty()
    val path = environment["PATH"].orEmpty().split(':').filter { it.isNotEmpty() }.map { Path.of(it) }
    val candidates = (environment["SDKMAN_DIR"]?.let { Path.of(it) } ?: home.resolve(".sdkman")).resolve("candidates/java")
    val installed = if (Files.isDirectory(candidates)) Files.newDirectoryStream(candidates).use { it.toList() } else emptyList()
    // Of several the newest by its name; `current` is a link to the one in use.
    val sdkman = installed.sortedWith(compareByDescending<Path> { it.name == "current" }.thenByDescending { it.name })
    return (graal + path + sdkman.map { it.resolve("bin") }).map { it.resolve(NATIVE_IMAGE) }
        .find { it.isRegularFile() && it.isExecutable() }
}
