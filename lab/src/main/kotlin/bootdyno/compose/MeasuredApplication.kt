package bootdyno.compose

import bootdyno.launch.prepare.readingJar
import bootdyno.launch.prepare.textOf
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.system.ioOrNull
import java.nio.file.Path
import java.util.jar.JarFile
import kotlin.io.path.nameWithoutExtension

private const val DEFAULT_PORT = 8080
private val VERSION = Regex("""[-_.]v?\d.*""")
private val OF_MAVEN = Regex("""META-INF/maven/[^/]+/([^/]+)/pom\.properties""")
private val SETTINGS = listOf("properties", "yml", "yaml").map { "BOOT-INF/classes/application.$it" }

/** `server.port=8081`, or the same in YAML, perhaps as the default of a variable. */
private val SERVER_PORT = Regex(
    """(?m)^(?:server\.port[ \t]*[=:]|server:(?:[ \t]*\n[ \t]++(?!port:)[^\n]*){0,20}[ \t]*\n[ \t]++port:)[ \t]*""" +
        """["']?(?:\$\{[^:}\n]{1,100}:)?(\d{1,5})""",
)

/** A measured application, which a compose file may have as a service: a jar [file], or an image. */
class MeasuredApplication(val file: Path?, private val image: String? = null) {
    private class Told(val names: List<String>, val port: Int?)

    private val told: Told? by lazy { file?.let { jar -> ioOrNull { readingJar(jar, ::toldBy) } } }

    /** Its names without versions: of its file or image, and of its build as the jar has it. */
    internal val names: Set<String>
        get() = setOfNotNull(file?.nameWithoutExtension?.replace(VERSION, ""), image?.let(::nameOf)) + told?.names.orEmpty()

    /** The port of the settings inside the jar, or Spring Boot's. */
    internal val port: Int get() = told?.port ?: DEFAULT_PORT

    private fun toldBy(jar: JarFile): Told {
        // Jars of jars have several.
        val artifact = jar.stream().toList().mapNotNull { OF_MAVEN.matchEntire(it.name)?.groupValues?.get(1) }.singleOrNull()
        val settings = SETTINGS.mapNotNull(jar::getJarEntry).map { jar.textOf(it).replace("\r", "") }
        return Told(
            listOfNotNull(artifact, jar.manifest?.mainAttributes?.getValue("Implementation-Title")),
            settings.firstNotNullOfOrNull { SERVER_PORT.find(it)?.groupValues?.get(1)?.toInt() },
        )
    }
}

/** The jars and images that [plan] measures. */
fun measuredApplications(plan: Plan): List<MeasuredApplication> =
    plan.cells.map { it.subject.origin }.distinct().mapNotNull { origin ->
        when (origin) {
            is Origin.Jar -> MeasuredApplication(Path.of(origin.path).toAbsolutePath().normalize())
            is Origin.Image -> MeasuredApplication(null, origin.name)
            is Origin.Command, is Origin.Url -> null
        }
    }
