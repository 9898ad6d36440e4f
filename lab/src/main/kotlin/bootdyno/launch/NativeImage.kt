package bootdyno.launch

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isExecutable
import kotlin.io.path.isRegularFile
import kotlin.io.path.name

/** What to say and to do where there is none. */
internal const val NO_NATIVE_IMAGE = "No native-image was found by GRAALVM_HOME, on the PATH or among SDKMAN's JDKs. " +
    "Install a GraalVM (sdk install java 25-graalce) and set GRAALVM_HOME to its folder."

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
    return (graal + path + sdkman.map { it.resolve("bin") }).map { it.resolve("native-image") }
        .find { it.isRegularFile() && it.isExecutable() }
}
