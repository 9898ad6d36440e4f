package bootdyno.engine

import bootdyno.system.sha256
import java.io.ByteArrayOutputStream
import java.nio.file.Files
import java.nio.file.Path
import java.time.LocalDateTime
import java.util.jar.JarFile
import java.util.zip.Deflater
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream
import kotlin.io.path.extension
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.readBytes

/** One jar with all that the engine's process needs, for other hosts. Equal classes give an equal [name]. */
internal class EngineJar private constructor(val bytes: ByteArray) {
    val name: String = "engine-${sha256(bytes).take(NAME_DIGITS)}.jar"

    companion object {
        private const val NAME_DIGITS = 24

        /** The engine, the model, and the libraries that they use. Classes only: no service or manifest is needed. */
        private val NEEDED = listOf("bootdyno/engine/", "bootdyno/model/", "bootdyno/system/", "io/netty/", "META-INF/native/") +
            listOf("kotlin/", "kotlinx/serialization/", "org/HdrHistogram/", "de/siegmar/fastcsv/", "org/jsoup/")

        /** From the class path of this process. Takes about a second. */
        fun make(): EngineJar {
            val files = sortedMapOf<String, ByteArray>()
            // The first of several files of a name counts, as in a class path.
            classPath().forEach { place -> filesOf(place).forEach { (name, bytes) -> files.putIfAbsent(name, bytes) } }
            val jar = ByteArrayOutputStream()
            ZipOutputStream(jar).use { out ->
                out.setLevel(Deflater.BEST_SPEED)
                files.forEach { (name, bytes) ->
                    out.putNextEntry(ZipEntry(name).apply { timeLocal = LONG_AGO })
                    out.write(bytes)
                    out.closeEntry()
                }
            }
            return EngineJar(jar.toByteArray())
        }

        /** Equal everywhere; the first time that a zip file can have. */
        private val LONG_AGO = LocalDateTime.of(1980, 1, 1, 0, 0)

        private fun isNeeded(name: String) = NEEDED.any(name::startsWith)

        private fun filesOf(place: Path): Map<String, ByteArray> = when {
            place.isDirectory() -> Files.walk(place).use { all -> all.toList() }.filter { it.isRegularFile() }
                .associateBy { place.relativize(it).invariantSeparatorsPathString }.filterKeys(::isNeeded)
                .mapValues { (_, file) -> file.readBytes() }

            place.extension == "jar" && place.isRegularFile() -> JarFile(place.toFile()).use { jar ->
                jar.entries().toList().filter { !it.isDirectory && isNeeded(it.name) }
                    .associate { entry -> entry.name to jar.getInputStream(entry).use { it.readAllBytes() } }
            }

            else -> emptyMap()
        }

        /** The class path with the jars that the manifests of its jars name. */
        private fun classPath(): List<Path> {
            val named = System.getProperty("java.class.path").split(System.getProperty("path.separator")).map { Path.of(it) }
            return named.flatMap { listOf(it) + besides(it) }.distinct()
        }

        private fun besides(place: Path): List<Path> {
            if (place.extension != "jar" || !place.isRegularFile()) return emptyList()
            val names = JarFile(place.toFile()).use { it.manifest?.mainAttributes?.getValue("Class-Path").orEmpty() }
            return names.split(' ').filter { it.isNotBlank() }.map { place.toUri().resolve(it) }
                .filter { it.scheme == "file" }.map { Path.of(it) }
        }
    }
}
