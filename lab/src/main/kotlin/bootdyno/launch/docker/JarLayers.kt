package bootdyno.launch.docker

import java.nio.file.Path
import java.util.jar.JarFile

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

/** Spring Boot since 3.3, with layers, which are the default. */
internal fun layersOf(jar: Path): JarLayers = JarFile(jar.toFile()).use { file ->
    val index = file.getEntry("BOOT-INF/layers.idx")
    val tools = file.stream().anyMatch { it.name.startsWith("BOOT-INF/lib/spring-boot-jarmode-tools-") }
    val names = index?.takeIf { tools }
        ?.let { entry -> layerNames(file.getInputStream(entry).use { it.readAllBytes().decodeToString() }) }.orEmpty()
    if (names.isEmpty()) JarLayers.Whole else JarLayers.Layered(names)
}

/** The index is YAML: a list of `- "name":`, below each what is in it. Names that are no names of folders are none of ours. */
internal fun layerNames(index: String): List<String> =
    index.lines().mapNotNull { LAYER.matchEntire(it.trimEnd())?.groupValues?.get(1) }

private val LAYER = Regex("""- "([A-Za-z0-9][A-Za-z0-9._-]*)":""")
