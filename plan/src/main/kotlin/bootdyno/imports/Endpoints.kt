package bootdyno.imports

import bootdyno.keys.pathFault
import bootdyno.model.jsonOf
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** Paths that no user of an application requests. */
private val NOT_OF_USERS = listOf("/actuator", "/error", "/swagger", "/v3/api-docs", "/webjars", "/logout", "/h2-console")

/** Ends of paths of files, which a server sends without the application. */
private val FILES = ".css .js .png .jpg .jpeg .gif .ico .svg .woff .woff2 .map .pdf".split(' ')

private val LINK_TARGET = Regex("""(?i)<a\s[^<>]*?href\s*=\s*["']([^"'\s]*)["']""")

/** Words of the names of paths that change something, although they are requested by GET. */
private val CHANGES = (
    "abort activate add append approve buy cancel clear confirm crash create deactivate decrement delete destroy disable drop " +
        "enable evict execute exit expire flush import increment insert invalidate kill lock logout migrate pay populate purge " +
        "put rebuild refresh refund reindex reject reload remove rename reset restart restore revoke rollback rotate run save " +
        "send set shutdown signout stop submit sync transfer trigger truncate unlock unsubscribe update upload wipe write"
    ).split(' ').toSet()

/** Ends of words, also within `deleteAll`. */
private val WORD_ENDS = Regex("[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")

/** Beginnings of the names of handlers that serve no users: Spring's own, those of its actuator, and those of springdoc. */
private val NOT_OF_THE_APPLICATION =
    listOf("boot", "security", "web").map { "org.springframework.$it." } + listOf("org.springdoc.", "Actuator ")

/**
 * The paths that `/actuator/mappings` lists for `GET`, with 1 for each variable; empty if [text] is no such list. Short ones first: the list has
 * another order after each start.
 */
fun mappedPaths(text: String): List<String> {
    val mappings = mutableListOf<JsonObject>()
    jsonOf(text)?.let { collect(it, "details", mappings) }
    return mappings.filterNot { mapping -> NOT_OF_THE_APPLICATION.any { mapping["handler"].text.orEmpty().startsWith(it) } }
        .map { it["details"]["requestMappingConditions"] }
        .filter { of -> texts(of["methods"]).let { it.isEmpty() || "GET" in it } }.flatMap { texts(it["patterns"]) }
        .map { it.replace(VARIABLE_OF_PATH, "1") }.distinct().filter { '*' !in it && isOfUsers(it) && pathFault(it) == null }
        .sortedWith(compareBy({ path -> path.split('/').count { it.isNotEmpty() } }, { it }))
}

/** The paths that the HTML of [page], below [context], links to, on the same server. */
fun linkedPaths(html: String, page: String = "/", context: String = ""): List<String> = LINK_TARGET.findAll(html)
    .mapNotNull { targetOfLink(page, it.groupValues[1].replace("&amp;", "&"), context) }.distinct()
    .filter { path -> FILES.none { path.substringBefore('?').lowercase().endsWith(it) } }.toList()

/**
 * The path that [page] links or redirects to by [address]; null on another server, or where it is no page of users. [context]: the context path
 * of the application; empty for the root.
 */
fun targetOfLink(page: String, address: String, context: String = ""): String? {
    val path = THIS_SERVER.find(address)?.let { address.removePrefix(it.value) } ?: address
    if (path.startsWith("//") || SCHEME.containsMatchIn(path)) return null
    val target = if (path.startsWith('/')) path else page.substringBeforeLast('/') + "/" + path.removePrefix("./")
    return target.substringBefore('#').takeIf { it != page && isOfUsers(it.removePrefix(context)) && pathFault(it) == null }
}

/** Whether the words of [path] say that a `GET` of it may change something. */
fun mayChangeState(path: String): Boolean = path.split(WORD_ENDS).any { it.lowercase() in CHANGES }

/** The beginning of an absolute address of an application on this machine. */
private val THIS_SERVER = Regex("""^https?://(?:127\.0\.0\.1|localhost)(?::\d+)?""")

private val SCHEME = Regex("^[A-Za-z][A-Za-z0-9+.-]*:")

private val VARIABLE_OF_PATH = Regex("""\{[^/{}]+}""")

/** Whether users of an application request [path], which is below its context path. */
internal fun isOfUsers(path: String): Boolean = NOT_OF_USERS.none { path.startsWith(it) }

/** Adds the outermost objects that have [key]. */
private fun collect(element: JsonElement, key: String, into: MutableList<JsonObject>) {
    when (element) {
        is JsonObject -> if (key in element) into.add(element) else element.values.forEach { collect(it, key, into) }
        is JsonArray -> element.forEach { collect(it, key, into) }
        is JsonPrimitive -> Unit
    }
}

private fun texts(element: JsonElement?): List<String> = element.items.mapNotNull { it.text }
