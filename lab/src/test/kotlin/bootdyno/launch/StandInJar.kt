package bootdyno.launch

import bootdyno.model.Cell
import bootdyno.model.Origin
import bootdyno.model.Variant
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.Attributes
import java.util.jar.JarEntry
import java.util.jar.JarFile
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.extension
import kotlin.io.path.name

private const val MAIN = "bootdyno.launch.StandInApplicationKt"

/**
 * An executable jar of this suite's stand-in, with empty [entries] of any names besides, and with [texts] by their names. Libraries and folders stay where they are: an
 * archive knows jars only.
 */
internal fun standInJar(
    folder: Path,
    vararg entries: String,
    name: String = "app.jar",
    texts: Map<String, String> = emptyMap(),
): Path {
    val classes = Path.of(Class.forName(MAIN).protectionDomain.codeSource.location.toURI())
    val manifest = Manifest()
    manifest.mainAttributes[Attributes.Name.MANIFEST_VERSION] = "1.0"
    manifest.mainAttributes[Attributes.Name.MAIN_CLASS] = MAIN
    // Where it was extracted to in layers, and else where it is.
    manifest.mainAttributes[Attributes.Name.CLASS_PATH] =
        "lib/kotlin-stdlib.jar ${Unit::class.java.protectionDomain.codeSource.location}"
    val jar = folder.resolve(name)
    JarOutputStream(Files.newOutputStream(jar), manifest).use { out ->
        Files.newDirectoryStream(classes.resolve("bootdyno/launch"), "StandIn*").use { all ->
            all.filter { it.extension == "class" }.forEach { file ->
                out.putNextEntry(JarEntry("bootdyno/launch/${file.name}"))
                Files.copy(file, out)
                out.closeEntry()
            }
        }
        (entries.associateWith { "" } + texts).forEach { (entry, text) ->
            out.putNextEntry(JarEntry(entry))
            out.write(text.toByteArray())
            out.closeEntry()
        }
    }
    JarFile(jar.toFile()).use { check(it.size() > entries.size) }
    return jar
}

internal fun jarCell(jar: Path, variant: Variant): Cell = cellOf(Origin.Jar("$jar"), variant = variant)
