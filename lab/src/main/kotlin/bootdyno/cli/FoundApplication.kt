package bootdyno.cli

import bootdyno.imports.linkedPaths
import bootdyno.imports.mappedPaths
import bootdyno.imports.mayChangeState
import bootdyno.imports.openApiPaths
import bootdyno.imports.targetOfLink
import bootdyno.launch.FetchedText
import bootdyno.launch.PASSWORD_FIELD
import bootdyno.launch.errorIn
import bootdyno.launch.fetchText
import bootdyno.measure.InputProblem
import java.net.URI

/** The settings of springdoc and of Spring Boot for the paths of what they serve. */
private const val API_DOCS = "springdoc.api-docs.path"
private const val ACTUATOR = "management.endpoints.web.base-path"
private const val ACTUATOR_PORT = "local.management.port"
private const val ACTUATOR_BASE = "management.server.base-path"
private val CONTEXTS = listOf("server.servlet.context-path", "spring.webflux.base-path")
private const val SERVLET = "spring.mvc.servlet.path"
internal val SETTINGS_OF_PATHS = CONTEXTS + listOf(API_DOCS, ACTUATOR, ACTUATOR_PORT, ACTUATOR_BASE, SERVLET)

/** Where Spring, Quarkus, MicroProfile and older tools have their OpenAPI documents. */
private val OPEN_API = listOf("/v3/api-docs", "/q/openapi", "/openapi", "/openapi.json", "/v2/api-docs", "/swagger.json")

/**
 * An application at [base], an address that may have a path. [settings]: those of [SETTINGS_OF_PATHS] among others. [logged]: its context path, as
 * it logs it; null if it does not. [died]: how it ended; null while it runs.
 */
internal class FoundApplication(
    private val base: URI,
    private val settings: Map<String, String>,
    logged: String? = null,
    val died: () -> String? = { null },
) {
    private val server = URI(base.scheme, null, base.host, base.port, null, null, null)
    private val basePath = base.rawPath.orEmpty().trimEnd('/')
    private val contextPath = logged ?: CONTEXTS.firstNotNullOfOrNull { settings[it] }.orEmpty()

    /** Begins all paths of its own; empty for the root. */
    val context = basePath + path(contextPath) + path(settings[SERVLET].orEmpty())

    fun get(path: String): FetchedText? = fetchText(server, path)

    /** Its [path] as requests have it, without that of its address; null elsewhere. */
    fun requested(path: String): String? = path.removePrefix(basePath).takeIf { path.startsWith("$basePath/") }

    /** The paths of its OpenAPI document, which may have no context path. */
    fun documented(): List<String> = (listOfNotNull(settings[API_DOCS]) + OPEN_API)
        .firstNotNullOfOrNull { at -> get(context + path(at))?.let { openApiPaths(it.text) }?.ifEmpty { null } }.orEmpty()
        .let { paths -> if (paths.any { it.startsWith("$context/") }) paths else paths.map { context + it } }

    /** The paths that its actuator lists, which may have a port of its own. */
    fun mapped(): List<String> {
        val port = settings[ACTUATOR_PORT]?.toIntOrNull()?.takeUnless { it == base.port }
        val at = if (port == null) server else URI("http", null, base.host, port, null, null, null)
        val before = if (port == null) context else path(settings[ACTUATOR_BASE].orEmpty())
        val listed = fetchText(at, before + path(settings[ACTUATOR] ?: "/actuator") + "/mappings")
        return listed?.let { mappedPaths(it.text) }.orEmpty().map { context + it }
    }

    private fun path(text: String) = "/$text".replace("//", "/").trimEnd('/')
}

/**
 * Up to [MOST_PATHS] paths that answer a `GET` with a status from 200 to 299, with that status. They are of the OpenAPI document, otherwise
 * of the mappings. Otherwise they are the first page, also where `/` redirects to it, and those that it links to. Paths that may change
 * something are left out.
 *
 * @throws InputProblem if no path answers like that
 */
internal fun requestsOf(found: FoundApplication, say: (String) -> Unit): Map<String, Int> {
    val root = "${found.context}/"
    val answer = found.get(root)
    val home = answer?.location?.let { targetOfLink(root, it, found.context) } ?: root
    val first = if (home == root) answer else found.get(home)
    val lists = listOf<() -> List<String>>(
        found::documented,
        found::mapped,
        { (listOf(home) + linkedPaths(first?.text.orEmpty(), home, found.context)).distinct() },
    )
    val left = linkedSetOf<String>()
    val paths = lists.firstNotNullOfOrNull { list ->
        val (changing, others) = list().partition(::mayChangeState)
        left += changing
        others.filter { found.requested(it) != null }.take(MOST_ASKED).asSequence()
            .mapNotNull { path -> statusOf(found.get(path))?.let { found.requested(path).orEmpty() to it } }
            .take(MOST_PATHS).toMap().ifEmpty { null }
    }
    if (left.isNotEmpty()) {
        val shown = left.take(MOST_PATHS).joinToString { "GET $it" }
        say("Not requested, because its name says that it may change something: $shown. --path requests it.")
    }
    return paths ?: throw InputProblem(
        "No path was found that answers a GET with a status from 200 to 299 and is no login page; GET $home answered " +
            "${first?.status ?: "nothing"}.${found.died()?.let { " $it" }.orEmpty()}\n" +
            "Name what to request: --path /orders, or --request 'POST /orders @order.json'" + if (first.wantsLogin) LOGIN else "",
    )
}

/** Whether [this] refuses strangers, or sends them elsewhere. */
private val FetchedText?.wantsLogin: Boolean
    get() = this != null && (status in WITHOUT_LOGIN || PASSWORD_FIELD.containsMatchIn(text))

/** The status of a successful answer that is no login page and no error; null of others. */
private fun statusOf(answer: FetchedText?): Int? =
    answer?.status?.takeIf { it in 200..299 && !PASSWORD_FIELD.containsMatchIn(answer.text) && errorIn(answer.text) == null }

private val WITHOUT_LOGIN = listOf(301, 302, 303, 307, 308, 401, 403)
private const val LOGIN = "\nIf it wants a login, write an experiment file with `login` (docs/experiment.md#sessions)."
private const val MOST_PATHS = 5
private const val MOST_ASKED = 20
