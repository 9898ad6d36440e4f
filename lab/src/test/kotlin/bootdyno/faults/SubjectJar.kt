package bootdyno.faults

import java.nio.file.FileSystems
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.Attributes
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** The faulty subject as an executable jar in [folder]; another [comment] makes it another build. */
internal fun subjectJar(folder: Path, comment: String = ""): Path {
    val manifest = Manifest()
    manifest.mainAttributes[Attributes.Name.MANIFEST_VERSION] = "1.0"
    manifest.mainAttributes[Attributes.Name.MAIN_CLASS] = "bootdyno.faults.FaultySubjectKt"
    manifest.mainAttributes[Attributes.Name.CLASS_PATH] = "${kotlinLibrary().toUri()}"
    val jar = folder.resolve("subject.jar")
    JarOutputStream(Files.newOutputStream(jar), manifest).use { out ->
        out.setComment(comment)
        inOwnClasses { classes ->
            classes.resolve("bootdyno/faults").listDirectoryEntries("*.class").forEach { file ->
                out.putNextEntry(JarEntry("bootdyno/faults/${file.name}"))
                Files.copy(file, out)
                out.closeEntry()
            }
        }
    }
    return jar
}

/** Kotlin's library where every user can read it. */
internal fun kotlinLibrary(): Path = Path.of("target", "lib").toAbsolutePath().listDirectoryEntries("kotlin-stdlib-*.jar").first()

/** The classes of these tests, which are in a folder or in a jar. */
private fun inOwnClasses(action: (Path) -> Unit) {
    val own = Path.of(World::class.java.protectionDomain.codeSource.location.toURI())
    if (own.isDirectory()) return action(own)
    FileSystems.newFileSystem(own).use { action(it.getPath("/")) }
}
