package bootdyno.imports

import bootdyno.model.HIDDEN
import bootdyno.model.looksSecret
import bootdyno.model.placeholders
import bootdyno.model.redactText
import bootdyno.plan.WorkloadKeys
import bootdyno.plan.headerFault
import bootdyno.plan.hostName
import bootdyno.plan.pathFault

internal const val OTHER_HOST = "other host"

/** The methods of the experiment file. */
private val METHODS = WorkloadKeys.methods.map { it.name.uppercase() }

/** Headers of the connection, of the browser and of its cache; the load generator writes its own. */
private val NOT_SENT = setOf(
    "host", "content-length", "connection", "keep-alive", "transfer-encoding", "te", "upgrade", "expect", "origin", "referer",
    "user-agent", "if-none-match", "if-modified-since", "cache-control", "pragma", "dnt", "priority", "upgrade-insecure-requests",
)
private val ENCODED = " {}|\\^`\"<>".toSet()

internal class Header(val name: String, val value: String)

/** A request as a file describes it. [name] may be empty; [url] is absolute, or a path. */
internal class FoundRequest(
    val name: String,
    val method: String,
    val url: String,
    val headers: List<Header> = emptyList(),
    val body: String? = null,
    val status: Int = 200,
)

/** Collects the requests of one file, without secrets and without those that cannot be sent. */
internal class Collected(private val hosts: Set<String>) {
    private class Reason(val requests: MutableSet<String> = linkedSetOf(), var count: Int = 0)

    private val reasons = linkedMapOf<String, Reason>()
    private val secrets = linkedMapOf<String, Int>()
    private val operations = linkedMapOf<ImportedOperation, Int>()
    private val notes = linkedSetOf<String>()
    val otherHosts: MutableSet<String> = linkedSetOf()
    var data: String? = null

    fun note(sentence: String) {
        notes += sentence
    }

    fun leaveOut(reason: String, request: String, count: Int = 1) {
        val of = reasons.getOrPut(reason) { Reason() }
        of.requests += redactText(request)
        of.count += count
    }

    fun secret(name: String, count: Int = 1) {
        secrets[name] = (secrets[name] ?: 0) + count
    }

    /** An operation that needs no check, [weight] times. Its name is a wish. */
    fun add(operation: ImportedOperation, weight: Int) {
        operations[operation] = (operations[operation] ?: 0) + weight
    }

    fun add(found: FoundRequest) {
        val what = "${found.method} ${found.url.substringBefore('?')}"
        val authority = authorityOf(found.url)
        val host = authority?.let { hostName(it.substringAfterLast('@')) }
        val path = pathOf(found.url)
        val type = found.headers.find { it.name.equals("content-type", ignoreCase = true) }?.value
        val body = found.body?.takeIf { it.isNotEmpty() }?.let { withoutPlaceholders(it, type) }
        val fault = pathFault(path)
        when {
            found.method !in METHODS -> leaveOut("method ${found.method}", what)

            found.method == "DELETE" -> leaveOut("a DELETE usually works once only", what)

            host != null && host !in hosts && placeholders(host).isEmpty() -> {
                otherHosts += host
                leaveOut("$OTHER_HOST $host", what)
            }

            fault != null -> leaveOut("its path $fault", what)

            body != null && redactText(body) != body -> leaveOut("its body has a secret", what)

            body != null && placeholders(body).isNotEmpty() -> leaveOut("its body has a word in curly brackets", what)

            else -> {
                val name = found.name.ifBlank { nameOf(found.method, path) }
                add(ImportedOperation(name, found.method, path, headersOf(found), body, found.status), 1)
            }
        }
    }

    /** Path and query without secrets and fragment. */
    private fun pathOf(url: String): String {
        val target = targetOf(url).substringBefore('#')
        val path = target.substringBefore('?').substringBefore(";jsessionid=")
        val pairs = target.substringAfter('?', "").split('&').filter { it.isNotEmpty() }
        val kept = pairs.filterNot { isSecretQuery(it.substringBefore('=')) }
        (pairs - kept.toSet()).forEach { secret("query parameter ${it.substringBefore('=')}") }
        if (";jsessionid=" in target) secret("jsessionid in the path")
        return encoded(if (kept.isEmpty()) path else "$path?${kept.joinToString("&")}")
    }

    private fun headersOf(found: FoundRequest): Map<String, String> {
        val sent = found.headers.filterNot { header ->
            val name = header.name.lowercase()
            name in NOT_SENT || name.startsWith(":") || name.startsWith("sec-")
        }
        val (hidden, open) = sent.partition { looksSecret(it.name) || HIDDEN in redactText("${it.name}: ${it.value}") }
        hidden.forEach { secret("header ${it.name}") }
        return open.filter { headerFault(it.name, it.value) == null && placeholders(it.value).isEmpty() }
            .associate { it.name to it.value }
    }

    fun imported(kind: String): Imported {
        val kept = operations.entries.sortedByDescending { it.value }.take(MOST_OPERATIONS)
        val total = operations.values.sum()
        val rest = operations.entries - kept.toSet()
        if (rest.isNotEmpty()) {
            val share = bootdyno.model.percent(rest.sumOf { it.value }.toDouble() / total)
            val reason = "beyond the $MOST_OPERATIONS most frequent operations, $share of the requests"
            rest.forEach { (operation, weight) -> leaveOut(reason, "${operation.method} ${operation.path}", weight) }
        }
        val names = mutableSetOf<String>()
        return Imported(
            kind,
            kept.map { (operation, weight) -> operation.copy(name = unique(operation.name, names), weight = scaled(weight, total)) },
            reasons.map { (reason, of) -> LeftOut(reason, of.requests.toList(), of.count) },
            secrets,
            data,
            notes.toList(),
        )
    }
}

/** Larger sums of weights are scaled to this one, because only ratios matter. */
private const val LARGEST_SUM = 10_000

private fun scaled(weight: Int, total: Int): Int =
    if (total <= LARGEST_SUM) weight else (weight.toLong() * LARGEST_SUM / total).toInt().coerceAtLeast(1)

private fun unique(wished: String, names: MutableSet<String>): String {
    val name = wished.replace(Regex("[^A-Za-z0-9_]+"), "-").trim('-', '_').take(60).trim('-', '_').ifEmpty { "request" }
    return generateSequence(1) { it + 1 }.map { if (it == 1) name else "$name-$it" }.first(names::add)
}

/** `orders-id` for GET, `post-orders` for other methods. */
internal fun nameOf(method: String, path: String): String {
    val words = path.substringBefore('?').split('/', '{', '}').filter { it.isNotEmpty() }.ifEmpty { listOf("root") }
    return (if (method == "GET") words else listOf(method.lowercase()) + words).joinToString("-")
}

internal fun isSecretQuery(name: String) = HIDDEN in redactText("/?$name=x1")

/** `host:port` of an absolute URL; null for a path. */
private fun authorityOf(url: String): String? =
    url.substringAfter("://", "").takeIf { it.isNotEmpty() && "://" in url.substringBefore('?') }?.substringBefore('/')
        ?.substringBefore('?')?.substringBefore('#')

/** Path and query of [url], as written. */
internal fun targetOf(url: String): String {
    if (authorityOf(url) == null) return if (url.startsWith("?")) "/$url" else url
    val rest = url.substringAfter("://").dropWhile { it != '/' && it != '?' && it != '#' }
    return if (rest.startsWith("/")) rest else "/$rest"
}

private fun encoded(path: String) = path.map { if (it in ENCODED) "%%%02X".format(it.code) else "$it" }.joinToString("")

/** [body] in which no word in curly brackets is taken for a placeholder, where its type has an escape. */
private fun withoutPlaceholders(body: String, type: String?): String = when {
    placeholders(body).isEmpty() -> body
    type?.contains("json") ?: (body.trimStart().take(1) in setOf("{", "[")) -> placeholders(body).fold(body) { so, name -> so.replace("{$name}", "\\u007b$name}") }
    type.orEmpty().contains("x-www-form-urlencoded") -> placeholders(body).fold(body) { so, name -> so.replace("{$name}", "%7B$name%7D") }
    else -> body
}
