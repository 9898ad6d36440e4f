package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import org.w3c.dom.Element
import java.net.URI
import java.net.URISyntaxException
import java.nio.file.Path

/** Where a plan's HTTP requests go, and how to make them go to the subject at [host] and [port]. */
internal class PlanAddress(
    private val plan: Jmx,
    private val values: PlanValues,
    private val included: List<Jmx>,
    private val host: String,
    private val port: Int,
) {
    /** The parts of an address, as an HTTP element's properties, with the subject's. */
    private val wanted = mapOf(DOMAIN to host, PORT to "$port", "HTTPSampler.protocol" to "http")
    private val places = (included + plan).flatMap { jmx -> jmx.all.filter(::isHttp).map { Place(jmx.file, it) } }

    private inner class Place(val file: Path, val element: Element) {
        val path = element.text(PATH).orEmpty()
        val wholeUrl = PROTOCOLS.any { path.startsWith(it, ignoreCase = true) }

        /** Whether properties suffice for it to go to the subject. */
        val fits: Boolean
            get() = !wholeUrl && wanted.all { (part, wanted) ->
                when (val value = value(part)) {
                    null, is PlanValue.Property -> true
                    is PlanValue.Literal -> value.text.equals(wanted, ignoreCase = true)
                    is PlanValue.Computed -> false
                }
            }

        fun value(part: String): PlanValue? = element.text(part)?.takeIf { it.isNotEmpty() }?.let(values::of)
    }

    /**
     * The plan's properties for host, port and protocol, with the subject's. Where there is no HTTP at all, names that are
     * usual.
     */
    fun properties(): Map<String, String> = if (places.isEmpty()) {
        mapOf("host" to host, "port" to "$port")
    } else {
        wanted.flatMap { (part, value) ->
            places.mapNotNull { it.value(part) as? PlanValue.Property }.map { it.name to value }
        }.toMap()
    }

    /** Whether properties suffice for all of its requests to go to the subject: someone must name the host, and a port but HTTP's own. */
    fun takesProperties(): Boolean = places.isEmpty() ||
        (places.all { it.fits } && isNamed(DOMAIN) && (port == HTTP_PORT || isNamed(PORT)))

    private fun isNamed(part: String) = places.any { it.value(part) != null }

    /** Writes the subject's address into every HTTP element of the plan. @throws EngineFailed for one in an included file. */
    fun rewrite() {
        included.find { jmx -> places.any { it.file == jmx.file && !it.fits } }?.let {
            throw EngineFailed(
                "The plan includes ${it.file}, which names its host or port itself. Let it take them from properties: " +
                    "\${__P(host)} and \${__P(port)}.",
            )
        }
        places.filter { it.file == plan.file }.forEach { place ->
            wanted.forEach(place.element::set)
            if (place.wholeUrl) place.element.set(PATH, "/" + place.path.substringAfter("//").substringAfter('/', ""))
        }
    }

    /** The hosts named by the plan, for the log. */
    fun hosts(): Set<String> = places.mapNotNullTo(sortedSetOf()) { place ->
        if (place.wholeUrl) {
            authority(place.path)
        } else {
            when (val value = place.value(DOMAIN)) {
                null -> null
                is PlanValue.Literal -> value.text
                is PlanValue.Property -> value.default ?: "(property ${value.name})"
                is PlanValue.Computed -> value.text
            }
        }
    }

    /** Functions in a path are no valid URI. */
    private fun authority(url: String): String = try {
        URI(url).authority ?: url
    } catch (_: URISyntaxException) {
        url.substringAfter("//").substringBefore('/')
    }

    private fun isHttp(element: Element) = element.tagName.startsWith("HTTPSampler") ||
        element.children().any { it.getAttribute("name").startsWith("HTTPSampler.") }
}

private const val DOMAIN = "HTTPSampler.domain"
private const val PORT = "HTTPSampler.port"
private const val PATH = "HTTPSampler.path"
private const val HTTP_PORT = 80
private val PROTOCOLS = listOf("http://", "https://")

/** What a text of a plan stands for, as far as it can be seen without running it. */
internal sealed interface PlanValue {
    data class Literal(val text: String) : PlanValue

    /** `${__P(name,default)}`. */
    data class Property(val name: String, val default: String?) : PlanValue

    /** Made while the plan runs: another function, a variable from a file, several of them. */
    data class Computed(val text: String) : PlanValue
}

/** Reads texts of a plan whose *User Defined Variables* are known. */
internal class PlanValues(jmx: List<Jmx>) {
    private val variables: Map<String, String> = jmx.flatMap { it.enabled }.flatMap(::definedBy).toMap()

    fun of(text: String): PlanValue = of(text.trim(), depth = 0)

    private fun of(text: String, depth: Int): PlanValue {
        if ("\${" !in text) return PlanValue.Literal(text)
        PROPERTIES.firstNotNullOfOrNull { it.matchEntire(text) }?.destructured
            ?.let { (name, default) -> return PlanValue.Property(name.trim(), default.trim().ifEmpty { null }) }
        val value = VARIABLE.matchEntire(text)?.let { variables[it.groupValues[1]] }
        return if (value == null || depth == DEEPEST) PlanValue.Computed(text) else of(value.trim(), depth + 1)
    }

    private fun definedBy(element: Element): List<Pair<String, String>> =
        (element.property("TestPlan.user_defined_variables") ?: element.takeIf { it.tagName == "Arguments" })
            ?.property("Arguments.arguments")?.children().orEmpty()
            .mapNotNull { argument -> argument.text("Argument.name")?.let { it to argument.text("Argument.value").orEmpty() } }
}

private const val DEEPEST = 5

/** The second takes a variable to keep the value in, too, before the default. */
private val PROPERTIES = listOf(
    Regex("""\$\{__P\(([^,()$]+)(?:,([^()$]*))?\)}"""),
    Regex("""\$\{__property\(([^,()$]+)(?:,[^,()$]*)?(?:,([^()$]*))?\)}"""),
)
private val VARIABLE = Regex("""\$\{([^{}$()]+)}""")
