package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.orLaunchFailed
import bootdyno.model.Bytes
import bootdyno.model.Stage
import bootdyno.system.ioOrNull
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import java.util.jar.JarEntry
import java.util.jar.JarFile
import kotlin.io.path.createParentDirectories

/** Properties of a jar that decide which forms it can run in. */
internal data class JarContents(
    /** Whether it contains nested libraries, as Spring Boot packs them. */
    val nested: Boolean,
    /** Whether it can extract itself (`-Djarmode=tools`), as since Spring Boot 3.3. */
    val tools: Boolean,
    /** Whether Spring AOT processed it at build time. */
    val springAot: Boolean,
    /** The class with `main`; for a nested jar, the application's. */
    val mainClass: String?,
    /** Whether its build wrote arguments for native-image. */
    val nativeArguments: Boolean,
    /** The layers that it can extract for an image, the least changing first; empty if it cannot. */
    val layers: List<String>,
)

/** Throws [LaunchFailed] if [jar] is unreadable. */
internal fun contentsOf(jar: Path): JarContents = orLaunchFailed(Stage.PREPARE, "The jar $jar cannot be read") {
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
}

/**
 * The files that [jar] needs beside it: those of the class path in its manifest, and of a Quarkus fast-jar its whole folder. Empty if it is
 * unreadable.
 */
fun filesBeside(jar: Path): List<Path> = ioOrNull {
    val file = jar.toAbsolutePath().normalize()
    readingJar(file) { archive ->
        val manifest = archive.manifest?.mainAttributes
        val isFastJar = manifest?.getValue("Main-Class") == "io.quarkus.bootstrap.runner.QuarkusEntryPoint"
        // Its words are addresses, also invalid ones and others than of files.
        val named = manifest?.getValue("Class-Path").orEmpty().split(' ').filter { it.isNotEmpty() }
            .mapNotNull { runCatching { Path.of(file.toUri().resolve(it)) }.getOrNull() }
        // Folders elsewhere, and the jar's own, may hold anything.
        val roots = if (isFastJar) listOf(file.parent) else named.filter { it != file.parent }
        roots.filter { Files.isRegularFile(it) || (Files.isDirectory(it) && it.startsWith(file.parent)) }
            .flatMap { root -> Files.walk(root).use { all -> all.filter(Files::isRegularFile).sorted().toList() } }
            .filter { it != file }.distinct()
    }
}.orEmpty()

/** Copies [jar] into [folder] as [name], with the files that it needs below its own folder; those elsewhere stay there. */
internal fun copyApplication(jar: Path, folder: Path, name: String): Path {
    val home = jar.toAbsolutePath().normalize().parent
    filesBeside(jar).filter { it.startsWith(home) }.forEach { file ->
        Files.copy(file, folder.resolve(home.relativize(file)).createParentDirectories(), StandardCopyOption.REPLACE_EXISTING)
    }
    return Files.copy(jar, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING)
}

/** The index is YAML: a list of `- "name":` with contents below. Only valid folder names are returned. */
internal fun layerNames(index: String): List<String> =
    index.lines().mapNotNull { LAYER.matchEntire(it.trimEnd())?.groupValues?.get(1) }

private val LAYER = Regex("""- "([A-Za-z0-9][A-Za-z0-9._-]*)":""")

/** Why it cannot be extracted, with advice; null if it can. */
internal fun JarContents.whyNotExtracted(jar: Path): String? = when {
    !nested -> "$jar has no libraries in BOOT-INF/lib, so there is nothing to extract: run it as `runtime: jar`."

    !tools ->
        "$jar cannot extract itself: it was built by Spring Boot before 3.3, or without its tools " +
            "(includeTools). Build it with a newer one."

    else -> null
}

/** Why it was not processed by Spring AOT; null if it was. */
internal fun JarContents.whyNotSpringAot(jar: Path): String? = if (springAot) {
    null
} else {
    "$jar was not processed ahead of time: add the goal process-aot of spring-boot-maven-plugin (or the Gradle plugin " +
        "org.springframework.boot.aot) to its build."
}

internal const val NATIVE_ARGUMENTS = "META-INF/native-image/argfile"

/** Maximum size of a manifest or an index of layers, which have some lines only. */
private const val LARGEST_TEXT = Bytes.MIB

/** Maximum extracted size; a larger jar is an attempt to fill the disk. */
private const val LARGEST_JAR = 4 * Bytes.GIB

/**
 * Opens [jar] for [read]. Rejects entries outside of its folder and too large contents, because the jar's own tools extract it later. Throws
 * [IOException] with the reason.
 */
internal fun <T> readingJar(jar: Path, read: (JarFile) -> T): T = try {
    // Signatures are not needed.
    JarFile(jar.toFile(), false).use { file ->
        refuseHarm(file)
        read(file)
    }
} catch (malformed: RuntimeException) {
    throw IOException("it is damaged (${malformed.message})", malformed)
}

/** The text of a small entry. Throws [IOException] for a large one. */
internal fun JarFile.textOf(entry: JarEntry): String {
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

/** The name of an entry for a message, shortened and without control characters. */
private fun shown(name: String) = "'" + name.take(80).map { if (it.isISOControl()) '?' else it }.joinToString("") + "'"
