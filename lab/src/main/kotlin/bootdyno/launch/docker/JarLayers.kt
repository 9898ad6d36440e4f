package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.prepare.readingJar
import bootdyno.launch.prepare.textOf
import bootdyno.model.Stage
import java.io.IOException
import java.nio.file.Path

/** How a jar gets into an image. */
internal sealed interface JarLayers {
    /** The folders that it becomes, what changes least first. */
    val names: List<String>

    /** Extracts itself into the layers that its build wrote down. */
    data class Layered(override val names: List<String>) : JarLayers

    /** One file that is what it is: not Spring Boot's, or one that cannot extract itself in layers. */
    data object Whole : JarLayers {
        override val names: List<String> = listOf("application")
    }
}

/** Spring Boot since 3.3, with layers, which are the default. Throws [LaunchFailed] where [jar] cannot be read. */
internal fun layersOf(jar: Path): JarLayers = try {
    readingJar(jar) { file ->
        val index = file.getJarEntry("BOOT-INF/layers.idx")
        val tools = file.stream().anyMatch { it.name.startsWith("BOOT-INF/lib/spring-boot-jarmode-tools-") }
        val names = index?.takeIf { tools }?.let { layerNames(file.textOf(it)) }.orEmpty()
        if (names.isEmpty()) JarLayers.Whole else JarLayers.Layered(names)
    }
} catch (unreadable: IOException) {
    throw LaunchFailed(Stage.PREPARE, "The jar $jar cannot be read: ${unreadable.message}.", cause = unreadable)
}

/** The index is YAML: a list of `- "name":`, below each what is in it. Names that are no names of folders are none of ours. */
internal fun layerNames(index: String): List<String> =
    index.lines().mapNotNull { LAYER.matchEntire(it.trimEnd())?.groupValues?.get(1) }

private val LAYER = Regex("""- "([A-Za-z0-9][A-Za-z0-9._-]*)":""")
