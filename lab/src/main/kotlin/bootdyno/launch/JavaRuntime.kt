package bootdyno.launch

import bootdyno.model.Stage
import bootdyno.system.findOnPath
import bootdyno.system.readOrNull
import java.nio.file.Files
import java.nio.file.Path

/** A `java` command; [feature] is its version, 25, or null if unknown. */
internal data class JavaRuntime(val executable: Path, val feature: Int?)

/**
 * The `java` at [named] (a version of this machine's JDKs, an executable, a command on the path, or a JDK's folder); null: our own. Throws
 * [LaunchFailed].
 */
internal fun javaRuntime(named: String?): JavaRuntime {
    if (named == null) return JavaRuntime(Path.of(System.getProperty("java.home"), "bin", "java"), Runtime.version().feature())
    if (isJavaVersion(named)) {
        val home = jdkHome(named) ?: throw LaunchFailed(Stage.LAUNCH, noJdk(named))
        return JavaRuntime(home.resolve("bin/java"), named.toInt())
    }
    val inFolder = Path.of(named, "bin", "java")
    val executable = if (Files.isExecutable(inFolder)) inFolder else findOnPath(named)
    executable ?: throw LaunchFailed(Stage.LAUNCH, "There is no java at '$named': give the path of a java or of a JDK's folder.")
    return JavaRuntime(executable, featureOf(executable))
}

/** The version of the `java` at [named], see [javaRuntime]; null if unknown. Throws [LaunchFailed] if there is none. */
fun javaVersion(named: String?): Int? = javaRuntime(named).feature

private fun noJdk(version: String): String = "There is no JDK $version in the usual folders of this machine, only " +
    "${installedJdks().keys.sorted().joinToString()}: install it, or give the path of its folder."

/** From the file `release` of the JDK, beside `bin`. */
private fun featureOf(executable: Path): Int? {
    val release = executable.toRealPath().parent?.parent?.resolve("release") ?: return null
    return readOrNull(release)?.let(::javaFeature)
}

/** `JAVA_VERSION="17.0.12"` is 17, `"1.8.0_402"` is 8, `"25"` is 25. */
internal fun javaFeature(release: String): Int? {
    val version =
        release.lineSequence().find { it.startsWith("JAVA_VERSION=") }?.substringAfter('=')?.trim('"', ' ') ?: return null
    return version.removePrefix("1.").takeWhile { it.isDigit() }.toIntOrNull()
}
