package bootdyno.faults

import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.Attributes
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** The faulty subject as an executable jar in [world]; another [comment] makes it another build. */
internal fun subjectJar(world: World, comment: String = ""): Path {
    val manifest = Manifest()
    manifest.mainAttributes[Attributes.Name.MANIFEST_VERSION] = "1.0"
    manifest.mainAttributes[Attributes.Name.MAIN_CLASS] = "bootdyno.faults.FaultySubjectKt"
    manifest.mainAttributes[Attributes.Name.CLASS_PATH] = "${SmallExperiment.KOTLIN.toUri()}"
    val jar = world.root.resolve("subject.jar")
    JarOutputStream(Files.newOutputStream(jar), manifest).use { out ->
        out.setComment(comment)
        SmallExperiment.OWN.resolve("bootdyno/faults").listDirectoryEntries("*.class").forEach { file ->
            out.putNextEntry(JarEntry("bootdyno/faults/${file.name}"))
            Files.copy(file, out)
            out.closeEntry()
        }
    }
    return jar
}
