package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.HTTP_PORT
import org.w3c.dom.Element
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
    private val wanted = mapOf(DOMAIN to host, PORT to "$port", PROTOCOL to if (https) "https" else "http")
    private val places = (included + plan).flatMap { jmx ->
        val enabled = jmx.enabled.toSet()
        jmx.all.filter(::isHttp).map { Place(jmx.file, it, it in enabled) }
    }

    /** The logins and cookies of the plan's addresses, which JMeter sends to these only. */
    private val ofAddresses = addresses().map { it.substringBeforeLast(':') }.let { hosts ->
        plan.all.flatMap { MANAGED.mapNotNull(it::property) }.flatMap { it.children() }.filter { hostOf(it) in hosts }
    }

    private inner class Place(val file: Path, val element: Element, val enabled: Boolean) {
        val path = values.withAddress(element.text(PATH).orEmpty())
        val wholeUrl = isAddress(path)

        /** Whether JMeter properties can redirect it to the subject. */
        val fits: Boolean
            get() = !wholeUrl && wanted.all { (part, wanted) ->
                value(part)?.let { it.property != null || it.known.equals(wanted, ignoreCase = true) } ?: true
            }

        fun value(part: String): PlanValue? = element.text(part)?.takeIf { it.isNotEmpty() }?.let(values::of)
    }

    /**
     * The plan's properties for host, port and protocol, with the subject's values; usual names if the plan has no HTTP requests.
     */
    fun properties(): Map<String, String> = if (places.isEmpty()) {
        mapOf("host" to host, "port" to "$port")
    } else {
        wanted.flatMap { (part, value) -> places.mapNotNull { it.value(part)?.property }.map { it to value } }.toMap()
    }

    /** Whether JMeter properties can redirect all requests: the host must be a property, and the port too unless it is HTTP's default. */
    fun takesProperties(): Boolean = places.isEmpty() ||
        (ofAddresses.isEmpty() && places.all { it.fits } && isNamed(DOMAIN) && (port == HTTP_PORT || isNamed(PORT)))

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
            if (place.wholeUrl) place.element.set(PATH, pathOf(place.path))
        }
        ofAddresses.forEach { entry ->
            val login = entry.text(LOGIN) ?: return@forEach entry.set(COOKIE, host)
            entry.set(LOGIN, "${wanted[PROTOCOL]}://$host:$port" + pathOf(values.withAddress(login)))
        }
    }

    /** The addresses of enabled requests, as far as known: `shop.test:8080`. What a request lacks is that of the plan's defaults. */
    fun addresses(): Set<String> = places.filter { it.enabled }.mapNotNullTo(sortedSetOf()) { place ->
        val host = place.value(DOMAIN) ?: default(DOMAIN)?.takeIf { place.value(PORT) != null }
        val port = (place.value(PORT) ?: default(PORT))?.let { ":" + it.shown }.orEmpty()
        if (place.wholeUrl) authority(place.path) else host?.let { it.shown + port }
    }

    private fun default(part: String): PlanValue? =
        places.filter { it.enabled && it.element.tagName == DEFAULTS }.mapNotNull { it.value(part) }.singleOrNull()

    private fun hostOf(entry: Element): String? = entry.text(COOKIE)?.let { values.of(it).known }
        ?: entry.text(LOGIN)?.let(values::withAddress)?.takeIf(::isAddress)?.let { authority(it).substringBeforeLast(':') }
}

/** Not parsed as a URI, because functions in a path make it invalid. */
private fun authority(url: String) = url.substringAfter("//").takeWhile { it !in "/?#" }

private fun pathOf(url: String) = "/" + url.substringAfter("//").substringAfter('/', "")

/** Whether an element sends HTTP requests, or has defaults for them. */
internal fun isHttp(element: Element) = element.tagName.startsWith("HTTPSampler") ||
    element.children().any { it.getAttribute("name").startsWith("HTTPSampler.") }

private const val DEFAULTS = "ConfigTestElement"
private const val DOMAIN = "HTTPSampler.domain"
private const val PORT = "HTTPSampler.port"
private const val PROTOCOL = "HTTPSampler.protocol"
private const val PATH = "HTTPSampler.path"
private const val LOGIN = "Authorization.url"
private const val COOKIE = "Cookie.domain"
private val MANAGED = listOf("AuthManager.auth_list", "CookieManager.cookies")
private fun isAddress(text: String) = listOf("http://", "https://").any { text.startsWith(it, ignoreCase = true) }

/**
 * The value of a [text] in a plan, or the default value of a [property], `${__P(name,default)}`. [known]: null if only a run tells it, as of
 * another function, a variable from a file, or several of them.
 */
internal class PlanValue(private val text: String, val known: String?, val property: String? = null) {
    val shown: String get() = known ?: property?.let { "(property $it)" } ?: text
}

/** Evaluates texts of a plan with *User Defined Variables*. */
internal class PlanValues(jmx: List<Jmx>) {
    private val variables: Map<String, String> = jmx.flatMap { it.enabled }.flatMap(::definedBy).toMap()

    fun of(text: String): PlanValue = of(text.trim(), depth = 0)

    /** [text], with the values of the variables before its path if it is an address then: `${base}/orders`. */
    fun withAddress(text: String): String {
        val (start, rest) = AT_START.matchEntire(text)?.destructured ?: return text
        val address = Regex(EXPRESSION).replace(start) { of(it.value).known ?: it.value }
        return if (isAddress(address)) address + rest else text
    }

    private fun of(text: String, depth: Int): PlanValue {
        if ("\${" !in text) return PlanValue(text, text)
        PROPERTIES.firstNotNullOfOrNull { it.matchEntire(text) }?.destructured
            ?.let { (name, default) -> return PlanValue(text, default.trim().ifEmpty { null }, name.trim()) }
        val value = VARIABLE.matchEntire(text)?.let { variables[it.groupValues[1]] }
        return if (value == null || depth == DEEPEST) PlanValue(text, null) else of(value.trim(), depth + 1)
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
private const val EXPRESSION = """\$\{[^{}]+}"""
private val AT_START = Regex("((?:$EXPRESSION|[^/?$])*+(?://(?:$EXPRESSION|[^/?$])*+)?)(.*)", RegexOption.DOT_MATCHES_ALL)
private val VARIABLE = Regex("""\$\{([^{}$()]+)}""")
