package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import org.w3c.dom.Element
import java.net.URI
import java.net.URISyntaxException
import java.nio.file.Path

/** Where a plan's HTTP requests go, and how to make them go to the subject. */
internal class PlanAddress(private val plan: Jmx, private val values: PlanValues, private val included: List<Jmx>) {
    private enum class Part(val property: String) {
        DOMAIN("HTTPSampler.domain"),
        PORT("HTTPSampler.port"),
        PROTOCOL("HTTPSampler.protocol"),
    }

    private val places = (included + plan).flatMap { jmx -> jmx.all.filter(::isHttp).map { Place(jmx.file, it) } }

    private inner class Place(val file: Path, val element: Element) {
        val path = element.text(PATH).orEmpty()
        val wholeUrl = PROTOCOLS.any { path.startsWith(it, ignoreCase = true) }

        fun value(part: Part): PlanValue? = element.text(part.property)?.takeIf { it.isNotEmpty() }?.let(values::of)
    }

    /**
     * The plan's properties for host, port and protocol, with the subject's. Where there is no HTTP at all, names that are
     * usual.
     */
    fun properties(host: String, port: Int): Map<String, String> {
        if (places.isEmpty()) return mapOf("host" to host, "port" to "$port")
        return Part.entries.flatMap { part ->
            places.mapNotNull { (it.value(part) as? PlanValue.Property)?.name }.map { it to wanted(part, host, port) }
        }.toMap()
    }

    /** Whether properties suffice for all of its requests to go to the subject. */
    fun takesProperties(host: String, port: Int): Boolean =
        places.isEmpty() || (places.all { fits(it, host, port) } && isWhole(port))

    /** Someone must name the host, and the port unless it is HTTP's own. */
    private fun isWhole(port: Int) =
        places.any { it.value(Part.DOMAIN) != null } && (port == HTTP_PORT || places.any { it.value(Part.PORT) != null })

    private fun fits(place: Place, host: String, port: Int): Boolean = !place.wholeUrl && Part.entries.all { part ->
        when (val value = place.value(part)) {
            null, is PlanValue.Property -> true
            is PlanValue.Literal -> value.text.equals(wanted(part, host, port), ignoreCase = true)
            is PlanValue.Computed -> false
        }
    }

    private fun wanted(part: Part, host: String, port: Int): String = when (part) {
        Part.DOMAIN -> host
        Part.PORT -> "$port"
        Part.PROTOCOL -> "http"
    }

    /** Writes the subject's address into every HTTP element of the plan. @throws EngineFailed for one in an included file. */
    fun rewrite(host: String, port: Int) {
        included.find { jmx -> places.any { it.file == jmx.file && !fits(it, host, port) } }?.let {
            throw EngineFailed(
                "The plan includes ${it.file}, which names its host or port itself. Let it take them from properties: " +
                    "\${__P(host)} and \${__P(port)}.",
            )
        }
        places.filter { it.file == plan.file }.forEach { place ->
            Part.entries.forEach { place.element.set(it.property, wanted(it, host, port)) }
            if (place.wholeUrl) place.element.set(PATH, afterAuthority(place.path))
        }
    }

    /** The hosts named by the plan, for the log. */
    fun hosts(): Set<String> = places.mapNotNullTo(sortedSetOf()) { place ->
        if (place.wholeUrl) {
            authority(place.path)
        } else {
            when (val value = place.value(Part.DOMAIN)) {
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

    private fun afterAuthority(url: String): String = "/" + url.substringAfter("//").substringAfter('/', "")

    private fun isHttp(element: Element) = element.tagName.startsWith("HTTPSampler") ||
        element.children().any { it.getAttribute("name").startsWith("HTTPSampler.") }

    private companion object {
        const val PATH = "HTTPSampler.path"
        const val HTTP_PORT = 80
        val PROTOCOLS = listOf("http://", "https://")
    }
}
