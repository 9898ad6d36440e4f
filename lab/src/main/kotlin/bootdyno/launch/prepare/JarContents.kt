package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.model.Bytes
import bootdyno.model.Stage
import java.io.IOException
import java.nio.file.Path
import java.util.jar.JarEntry
import java.util.jar.JarFile

/** What a jar's entries tell about the forms it can be run in. */
internal data class JarContents(
    /** Libraries inside the jar, as Spring Boot nests them. */
    val nested: Boolean,
    /** It can lay itself out (`-Djarmode=tools`), as since Spring Boot 3.3. */
    val tools: Boolean,
    /** It holds the beans that Spring decided on at build time. */
    val springAot: Boolean,
    /** The class with `main`; of a nested jar the application's own. */
    val mainClass: String?,
    /** Arguments for native-image that its build wrote down. */
    val nativeArguments: Boolean,
    /** The folders that it can lay itself out in for an image, what changes least first; empty where it cannot. */
    val layers: List<String>,
)

/** Throws [LaunchFailed] where [jar] cannot be read. */
internal fun contentsOf(jar: Path): JarContents = try {
    readingJar(jar) { file ->
        val names = file.stream().map { it.name }.toList()
        val manifest = file.manifest?.mainAttributes
        val tools = names.any { it.startsWith("BOOT-INF/lib/spring-boot-jarmode-tools-") }
        JarContents(
            nested = names.any { it.startsWith("BOOT-INF/lib/") },
            tools = tools,
            springAot = names.any { it.endsWith("__ApplicationContextInitializer.class") },
            mainClass = manifest?.getValue("Start-Class") ?: manifest?.getValue("Main-Class"),
            nativeArguments = NATIVE_ARGUMENTS in names,
            layers = file.getJarEntry("BOOT-INF/layers.idx")?.takeIf { tools }?.let { layerNames(file.textOf(it)) }.orEmpty(),
        )
    }
} catch (unreadable: IOException) {
    throw LaunchFailed(Stage.PREPARE, "The jar $jar cannot be read: ${unreadable.message}.", cause = unreadable)
}

/** The index is YAML: a list of `- "name":`, below each what is in it. Names that are no names of folders are none of ours. */
internal fun layerNames(index: String): List<String> =
    index.lines().mapNotNull { LAYER.matchEntire(it.trimEnd())?.groupValues?.get(1) }

private val LAYER = Regex("""- "([A-Za-z0-9][A-Za-z0-9._-]*)":""")

/** Why it cannot be laid out in files, in a sentence with what to do; null: it can. */
internal fun JarContents.whyNotExtracted(jar: Path): String? = when {
    !nested -> "$jar has no libraries nested in it, so there is nothing to extract: run it as `runtime: jar`."

    !tools ->
        "$jar cannot extract itself: it was built by Spring Boot before 3.3, or without its tools " +
            "(includeTools). Build it with a newer one."

    else -> null
}

/** Why its beans were not decided at build time; null: they were. */
internal fun JarContents.whyNotSpringAot(jar: Path): String? = if (springAot) {
    null
} else {
    "$jar was not processed ahead of time: add the goal process-aot of spring-boot-maven-plugin (or the Gradle plugin " +
        "org.springframework.boot.aot) to its build."
}

internal const val NATIVE_ARGUMENTS = "META-INF/native-image/argfile"

/** A manifest is some lines, and so is Spring Boot's index of layers: more of it is not read into memory. */
private const val LARGEST_TEXT = Bytes.MIB

/** An application with its libraries has tens of megabytes: this much, unpacked, is meant to fill a disk. */
private const val LARGEST_JAR = 4 * Bytes.GIB

/**
 * Opens [jar] for [read]. Nothing is unpacked here, but it is later, by its own tools: what would be written outside of its folder, or
 * fill the disk, is refused. Throws [IOException] with the reason.
 */
internal fun <T> readingJar(jar: Path, read: (JarFile) -> T): T = try {
    // Signatures say nothing that is asked here.
    JarFile(jar.toFile(), false).use { file ->
        refuseHarm(file)
        read(file)
    }
} catch (malformed: RuntimeException) {
    throw IOException("it is damaged (${malformed.message})", malformed)
}

/** The text of a small entry. Throws [IOException] where it is not small. */
private fun JarFile.textOf(entry: JarEntry): String {
    val bytes = getInputStream(entry).use { it.readNBytes(LARGEST_TEXT.toInt() + 1) }
    if (bytes.size > LARGEST_TEXT) throw IOException("${entry.name} is larger than 1 MiB")
    return bytes.decodeToString()
}

private fun refuseHarm(file: JarFile) {
    var size = 0L
    for (entry in file.entries()) {
        if (leavesItsFolder(entry.name)) {
            throw IOException("its entry ${shown(entry.name)} would be unpacked outside of its folder")
        }
        if (entry.name.equals(JarFile.MANIFEST_NAME, ignoreCase = true) && entry.size > LARGEST_TEXT) {
            throw IOException("its manifest is larger than 1 MiB")
        }
        size += entry.size.coerceAtLeast(0)
        if (size > LARGEST_JAR) throw IOException("it is larger than 4 GiB when it is unpacked")
    }
}

private fun leavesItsFolder(name: String): Boolean {
    val parts = name.replace('\\', '/').split('/')
    return ".." in parts || parts.first().isEmpty() || parts.first().endsWith(":") || '\u0000' in name
}

/** Names of entries may hold anything, of any length. */
private fun shown(name: String) = "'" + name.take(80).map { if (it.isISOControl()) '?' else it }.joinToString("") + "'"
