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
        P.matchEntire(text)?.destructured?.let { (name, default) -> return property(name, default) }
        PROPERTY.matchEntire(text)?.destructured?.let { (name, default) -> return property(name, default) }
        val value = VARIABLE.matchEntire(text)?.let { variables[it.groupValues[1]] }
        return if (value == null || depth == DEEPEST) PlanValue.Computed(text) else of(value.trim(), depth + 1)
    }

    private fun property(name: String, default: String) = PlanValue.Property(name.trim(), default.trim().ifEmpty { null })

    private fun definedBy(element: Element): List<Pair<String, String>> =
        (element.property("TestPlan.user_defined_variables") ?: element.takeIf { it.tagName == "Arguments" })
            ?.property("Arguments.arguments")?.children().orEmpty()
            .mapNotNull { argument -> argument.text("Argument.name")?.let { it to argument.text("Argument.value").orEmpty() } }

    private companion object {
        const val DEEPEST = 5
        val P = Regex("""\$\{__P\(([^,()$]+)(?:,([^()$]*))?\)}""")

        /** Name, a variable to keep the value in, default. */
        val PROPERTY = Regex("""\$\{__property\(([^,()$]+)(?:,[^,()$]*)?(?:,([^()$]*))?\)}""")
        val VARIABLE = Regex("""\$\{([^{}$()]+)}""")
    }
}
