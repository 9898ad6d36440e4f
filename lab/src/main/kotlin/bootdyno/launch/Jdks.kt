package bootdyno.launch

import bootdyno.system.findOnPath
import bootdyno.system.ioOrNull
import bootdyno.system.readOrNull
import java.nio.file.Files
import java.nio.file.Path

/** Folders that contain JDKs, relative to the home folder for `~`; the same as of `find-jdk.sh`. */
private val PLACES_OF_JDKS = listOf(
    "~/.sdkman/candidates/java", "/usr/lib/jvm", "/usr/lib64/jvm", "/usr/java", "/opt/java", "/opt", "~/.jdks",
    "~/.local/share/mise/installs/java", "~/.asdf/installs/java", "~/Library/Java/JavaVirtualMachines",
    "/Library/Java/JavaVirtualMachines", "/opt/homebrew/opt", "/usr/local/opt",
)

/** Paths of a JDK inside of its folder: macOS and Homebrew have deeper ones. */
private val INSIDE = listOf("", "Contents/Home", "libexec/openjdk.jdk/Contents/Home")

/** A version of Java: `21`. */
private val VERSION = Regex("[1-9][0-9]?")

/** Whether [named] is a version such as 21, not a path. */
fun isJavaVersion(named: String): Boolean = VERSION.matches(named)

/** The home folders of the JDKs and JREs of this machine by their version; our own first. */
internal fun installedJdks(): Map<Int, Path> = buildMap {
    val ownHome = Path.of(System.getProperty("java.home"))
    val named = listOfNotNull(System.getenv("JAVA_HOME")?.let { Path.of(it) }, onPath())
    val searched = PLACES_OF_JDKS.flatMap { foldersIn(placeOf(it)) }.flatMap { folder -> INSIDE.map { folder.resolve(it) } }
    (listOf(ownHome) + named + searched).forEach { home -> featureIn(home)?.let { putIfAbsent(it, home) } }
}

/** The home folder of a JDK [version] of this machine; null without one. */
internal fun jdkHome(version: String): Path? = version.toIntOrNull()?.let { installedJdks()[it] }

private fun placeOf(text: String): Path {
    val sdkman = System.getenv("SDKMAN_DIR")?.takeIf { ".sdkman" in text }
    if (sdkman != null) return Path.of(sdkman, "candidates", "java")
    return if (text.startsWith("~/")) Path.of(System.getProperty("user.home"), text.removePrefix("~/")) else Path.of(text)
}

/** In reverse order of names, so that a newer update of a version comes first. */
private fun foldersIn(place: Path): List<Path> =
    ioOrNull { Files.newDirectoryStream(place) { Files.isDirectory(it) }.use { it.sortedDescending() } }.orEmpty()

private fun onPath(): Path? = ioOrNull { findOnPath("java")?.toRealPath()?.parent?.parent }

/** The version of the JDK at [home]; null if there is none. */
private fun featureIn(home: Path): Int? = home.takeIf { Files.isExecutable(it.resolve("bin/java")) }
    ?.let { readOrNull(it.resolve("release")) }?.let(::javaFeature)
