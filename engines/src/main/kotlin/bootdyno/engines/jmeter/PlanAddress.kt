package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.HTTP_PORT
import org.w3c.dom.Element
import java.net.URI
import java.net.URISyntaxException
import java.nio.file.Path

/** Finds the targets of a plan's HTTP requests, and redirects them to the subject at [host] and [port]. */
internal class PlanAddress(
    private val plan: Jmx,
    private val values: PlanValues,
    private val included: List<Jmx>,
    private val host: String,
    private val port: Int,
    https: Boolean,
) {
    /** Properties of an HTTP element for the subject's address. */
    private val wanted = mapOf(DOMAIN to host, PORT to "$port", "HTTPSampler.protocol" to if (https) "https" else "http")
    private val places = (included + plan).flatMap { jmx ->
        val enabled = jmx.enabled.toSet()
        jmx.all.filter(::isHttp).map { Place(jmx.file, it, it in enabled) }
    }

    private inner class Place(val file: Path, val element: Element, val enabled: Boolean) {
        val path = values.withAddress(element.text(PATH).orEmpty())
        val wholeUrl = isAddress(path)

        /** Whether JMeter properties can redirect it to the subject. */
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
     * The plan's properties for host, port and protocol, with the subject's values; usual names if the plan has no HTTP requests.
     */
    fun properties(): Map<String, String> = if (places.isEmpty()) {
        mapOf("host" to host, "port" to "$port")
    } else {
        wanted.flatMap { (part, value) ->
            places.mapNotNull { it.value(part) as? PlanValue.Property }.map { it.name to value }
        }.toMap()
    }

    /** Whether JMeter properties can redirect all requests: the host must be a property, and the port too unless it is HTTP's default. */
    fun takesProperties(): Boolean = places.isEmpty() ||
        (places.all { it.fits } && isNamed(DOMAIN) && (port == HTTP_PORT || isNamed(PORT)))

    private fun isNamed(part: String) = places.any { it.value(part) != null }

    /** Writes the subject's address into every HTTP element. @throws EngineFailed for elements of an included file */
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

    /** The addresses of enabled requests, as far as known: `shop.test:8080`. */
    fun addresses(): Set<String> = places.filter { it.enabled }.mapNotNullTo(sortedSetOf()) { place ->
        val host = place.value(DOMAIN)?.let(::shown)
        when {
            place.wholeUrl -> authority(place.path)
            host == null -> null
            else -> host + place.value(PORT)?.let { ":" + shown(it) }.orEmpty()
        }
    }

    private fun shown(value: PlanValue): String = when (value) {
        is PlanValue.Literal -> value.text
        is PlanValue.Property -> value.default ?: "(property ${value.name})"
        is PlanValue.Computed -> value.text
    }

    /** Not parsed as a URI, because functions in a path make it invalid. */
    private fun authority(url: String): String = try {
        URI(url).authority ?: url
    } catch (_: URISyntaxException) {
        url.substringAfter("//").substringBefore('/')
    }
}

/** Whether an element sends HTTP requests, or has defaults for them. */
internal fun isHttp(element: Element) = element.tagName.startsWith("HTTPSampler") ||
    element.children().any { it.getAttribute("name").startsWith("HTTPSampler.") }

private const val DOMAIN = "HTTPSampler.domain"
private const val PORT = "HTTPSampler.port"
private const val PATH = "HTTPSampler.path"
private val PROTOCOLS = listOf("http://", "https://")

private fun isAddress(text: String) = PROTOCOLS.any { text.startsWith(it, ignoreCase = true) }

/** The value of a text in a plan, as far as known without running it. */
internal sealed interface PlanValue {
    data class Literal(val text: String) : PlanValue

    /** `${__P(name,default)}`. */
    data class Property(val name: String, val default: String?) : PlanValue

    /** Known only at run time: another function, a variable from a file, several of them. */
    data class Computed(val text: String) : PlanValue
}

/** Evaluates texts of a plan with *User Defined Variables*. */
internal class PlanValues(jmx: List<Jmx>) {
    private val variables: Map<String, String> = jmx.flatMap { it.enabled }.flatMap(::definedBy).toMap()

    fun of(text: String): PlanValue = of(text.trim(), depth = 0)

    /** The path [text], with the value of a variable at its start if that is an address: `${base}/orders`. */
    fun withAddress(text: String): String {
        val (start, rest) = AT_START.matchEntire(text)?.destructured ?: return text
        val address = when (val value = of(start)) {
            is PlanValue.Literal -> value.text
            is PlanValue.Property -> value.default
            is PlanValue.Computed -> null
        }
        return if (address != null && isAddress(address)) address + rest else text
    }

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

/** The second also takes a variable for the value, before the default. */
private val PROPERTIES = listOf(
    Regex("""\$\{__P\(([^,()$]+)(?:,([^()$]*))?\)}"""),
    Regex("""\$\{__property\(([^,()$]+)(?:,[^,()$]*)?(?:,([^()$]*))?\)}"""),
)
private val AT_START = Regex("""(\$\{[^{}]+})(.*)""", RegexOption.DOT_MATCHES_ALL)
private val VARIABLE = Regex("""\$\{([^{}$()]+)}""")
