package bootdyno.imports

import bootdyno.keys.WorkloadKeys
import bootdyno.keys.headerFault
import bootdyno.keys.hostName
import bootdyno.keys.nameOf
import bootdyno.keys.pathFault
import bootdyno.model.PLACEHOLDER
import bootdyno.model.percent
import bootdyno.model.placeholders
import bootdyno.model.plural
import bootdyno.model.redactText

/** The methods of the experiment file. */
private val METHODS = WorkloadKeys.methods.map { it.name.uppercase() }

/** Headers of the connection, of the browser and of its cache; the load generator writes its own. */
private val NOT_SENT = setOf(
    "host", "content-length", "connection", "keep-alive", "transfer-encoding", "te", "upgrade", "expect", "origin", "referer",
    "user-agent", "range", "if-none-match", "if-modified-since", "if-range", "cache-control", "pragma", "dnt", "priority",
    "upgrade-insecure-requests",
)
private val THIS_MACHINE = setOf("localhost", "127.0.0.1", "::1", "0.0.0.0", "host.docker.internal")

/** In JSON and forms a name ends with a colon or an equals sign, in a form of several parts with a line break. */
private val CSRF_FIELD = Regex("""(?i)\b_?(?:csrf|xsrf)[\w-]{0,60}["']?(?:\s{0,40}[=:]|\r\n)""")

internal const val HAR = "HAR file"

internal const val EVENTS = "text/event-stream"
internal const val ENDLESS = "a stream of events has no end"

/** In characters. */
private const val LONGEST_TARGET = 8_192
private const val MOST_SHOWN = 60

/** Headers whose judgement is kept, and the characters of one. */
private const val MOST_KNOWN = 1_000
private const val LONGEST_KNOWN = 300

/** In characters. The experiment file has at most 1 MiB. */
private const val LONGEST_BODY = 32_768

/** Different requests that are kept for each reason to leave them out. */
private const val MOST_KEPT = 100

/** Larger sums of weights are scaled to this one, because only ratios matter. */
private const val LARGEST_SUM = 10_000

internal class Header(val name: String, val value: String) {
    val isType: Boolean get() = name.equals("content-type", ignoreCase = true)
}

/** A request as a file describes it. [name] may be empty; [url] is absolute, or a path. */
internal data class FoundRequest(
    val name: String,
    val method: String,
    val url: String,
    val headers: List<Header> = emptyList(),
    val body: String? = null,
    val status: Int = 200,
    /** Whether a browser recorded it in the session of a user. */
    val isRecorded: Boolean = false,
) {
    /** Method and URL without query, for messages. */
    val shown: String get() = "$method ${url.substringBefore('?')}"

    val contentType: String? get() = headers.find { it.isType }?.value
}

/**
 * Collects the requests of one file, without secrets and without those that cannot be sent. [hosts], with or without port, are
 * those of the application; empty: this machine.
 */
internal class Collected(hosts: List<String>) {
    private class Omission(val requests: MutableSet<String> = linkedSetOf(), var count: Int = 0)

    private val hosts = hosts.map { (authorityOf(it) ?: it.substringBefore('/')).lowercase() }
    private val ownHosts = linkedMapOf<String, Int>()
    private val reasons = linkedMapOf<String, Omission>()
    private val secrets = linkedMapOf<String, Int>()
    private val operations = linkedMapOf<ImportedOperation, Int>()
    private val columns = linkedMapOf<String, List<String>>()
    private val columnNames = UniqueNames()
    private val notes = linkedSetOf<String>()
    private val secretHeaders = mutableMapOf<String, Boolean>()
    private val personal = linkedSetOf<String>()

    /** Hosts that are not the application's, with the number of requests to them. */
    val otherHosts: MutableMap<String, Int> = linkedMapOf()

    fun note(sentence: String) {
        notes += sentence
    }

    fun leaveOut(reason: String, request: String, count: Int = 1) {
        val of = reasons.getOrPut(reason) { Omission() }
        if (of.requests.size < MOST_KEPT) of.requests += withoutSecretSegments(redactText(request))
        of.count += count
    }

    fun secret(name: String, count: Int = 1) {
        secrets.merge(name, count, Int::plus)
    }

    /** Keeps the values of a placeholder, one for each request; returns its name, which is [wished] unless that is taken. */
    fun column(wished: String, values: List<String>): String = columnNames.unused(wished).also { columns[it] = values }

    /** An operation that was checked, [count] times. Its name is a wish. */
    fun add(operation: ImportedOperation, count: Int) {
        operations.merge(operation, count, Int::plus)
    }

    fun add(found: FoundRequest, count: Int = 1) {
        val authority = authorityOf(found.url)
        if (authority != null && !isOwn(authority)) {
            otherHosts.merge(authority, count, Int::plus)
            return leaveOut("other host $authority", found.shown, count)
        }
        val isTooLong = found.url.length > LONGEST_TARGET
        if (isTooLong) return leaveOut("its address has more than 8 KiB", found.shown.take(MOST_SHOWN), count)
        val target = safeTarget(found.url)
        val body = bodyOf(found)
        whyNot(found, target.text, body.orEmpty())?.let { return leaveOut(it, found.shown, count) }
        authority?.let { ownHosts.merge(it, count, Int::plus) }
        target.secrets.forEach { secret(it, count) }
        personal += personalData(target.text) + personalData(body.orEmpty())
        val name = found.name.takeUnless { hasSecret(it) || it.none { sign -> sign in 'a'..'z' || sign in 'A'..'Z' } }
            ?: nameOf(found.method, percentDecoded(target.text) ?: target.text)
        add(ImportedOperation(name, found.method, target.text, headersOf(found, count), body, found.status), count)
    }

    /** Joins operations without a body whose paths differ in values only, as those of a log. */
    fun joinPaths() {
        val (plain, others) = operations.entries.map { it.key to it.value }.partition { it.first.body == null }
        operations.clear()
        plain.groupBy { it.first.copy(name = "", path = "") }.values.forEach { alike ->
            val byRequest = alike.associateBy { (one, _) -> Logged(one.method, one.path, one.status) }
            addTemplates(byRequest.mapValues { it.value.second }, this, alike.first().first.headers) { one, count ->
                add(byRequest.getValue(one).first, count)
            }
        }
        others.forEach { (one, count) -> add(one, count) }
    }

    /** Whether [authority], a host with or without a port, is the application. */
    fun isOwn(authority: String): Boolean {
        val host = hostName(authority)
        if (hosts.isEmpty()) return host in THIS_MACHINE
        return hosts.any { own ->
            val hasNoPort = own == hostName(own) || own.endsWith("]")
            own == authority.lowercase() || (hasNoPort && isSame(hostName(own), host))
        }
    }

    /** The first of [environments] with an address of the application among its values, or else the first. */
    fun <T> ownOrFirst(environments: Map<String, T>, values: (T) -> Collection<String>): Map.Entry<String, T>? =
        environments.entries.find { (_, of) -> values(of).any { isOwn(authorityOf(it) ?: it.substringBefore('/')) } }
            ?: environments.entries.firstOrNull()

    private fun isSame(one: String, other: String) = one == other || (one in THIS_MACHINE && other in THIS_MACHINE)

    private fun whyNot(found: FoundRequest, target: String, body: String): String? {
        val fault = pathFault(target)
        val type = found.contentType.orEmpty()
        return when {
            found.method !in METHODS -> "method ${found.method}"
            found.method == "DELETE" -> "a DELETE usually works once only"
            hasSecretSegment(target) -> "its path has a secret"
            fault != null -> "its path $fault"
            type.startsWith("multipart/", ignoreCase = true) && type != MULTIPART -> "multipart body"
            found.headers.any { it.name.equals("accept", ignoreCase = true) && EVENTS in it.value.lowercase() } -> ENDLESS
            body.length > LONGEST_BODY -> "its body has more than 32 KiB"
            body.any { it.isISOControl() && it !in "\t\r\n" } -> "its body is no text"
            CSRF_FIELD.containsMatchIn(body) -> "its body has a CSRF token, which belongs to one session"
            hasSecret(body) -> "its body has a secret"
            placeholders(body).isNotEmpty() -> "a word in curly brackets in its body would be a placeholder"
            else -> null
        }
    }

    private fun headersOf(found: FoundRequest, count: Int): Map<String, String> {
        val kept = linkedMapOf<String, String>()
        found.headers.filter(::isSent).forEach { header ->
            val fault = headerFault(header.name, header.value)
            when {
                isSecret(header, found.isRecorded) -> secret("header ${header.name}", count)

                fault != null -> note("A header is not imported: $fault.")

                placeholders(header.value).isNotEmpty() ->
                    note("The header ${header.name} is not imported: its word in curly brackets would be a placeholder.")

                // Lines of one name are one list (RFC 9110, section 5.3).
                else -> {
                    val same = kept.keys.find { it.equals(header.name, ignoreCase = true) }
                    kept.merge(same ?: header.name, header.value) { a, b -> "$a, $b" }
                }
            }
        }
        return kept
    }

    /** As [isSecretHeader]: most requests of a file have the same headers. */
    private fun isSecret(header: Header, isRecorded: Boolean): Boolean {
        val line = "${header.name}: ${header.value}"
        if (line.length > LONGEST_KNOWN || secretHeaders.size > MOST_KNOWN) return isSecretHeader(header, isRecorded)
        return secretHeaders.getOrPut(line) { isSecretHeader(header, isRecorded) }
    }

    private fun isSent(header: Header): Boolean {
        val name = header.name.lowercase()
        return name !in NOT_SENT && !name.startsWith(":") && !name.startsWith("sec-")
    }

    fun imported(kind: String): Imported {
        val kept = operations.entries.sortedByDescending { it.value }.take(MOST_OPERATIONS)
        val total = operations.values.sum()
        val rest = operations.entries - kept.toSet()
        val share = percent(rest.sumOf { it.value }.toDouble() / total.coerceAtLeast(1))
        rest.forEach { (operation, count) ->
            val reason = "beyond the $MOST_OPERATIONS most frequent operations, $share of the requests"
            leaveOut(reason, "${operation.method} ${operation.path}", count)
        }
        if (hosts.size <= 1 && ownHosts.size > 1) {
            note("The requests are to ${named(ownHosts)}. --import-host ${ownHosts.maxBy { it.value }.key} keeps only these.")
        }
        if (personal.isNotEmpty()) note("The requests contain ${personal.joinToString(" and ")}: they are in the experiment.")
        if (kind == HAR) remaining(kept.map { it.key })?.let(::note)
        val names = UniqueNames()
        val used = kept.flatMap { placeholders(it.key.path) }.toSet()
        return Imported(
            kind,
            kept.map { (operation, count) -> operation.copy(name = names.unused(operation.name), weight = scaled(count, total)) },
            reasons.map { (reason, of) -> LeftOut(reason, of.requests.toList(), of.count) },
            secrets,
            dataOf(columns.filterKeys { it in used }),
            notes.toList(),
        )
    }
}

/** What of a user's recorded requests stays in the experiment; null for plain paths. */
private fun remaining(operations: List<ImportedOperation>): String? {
    val headers = operations.flatMap { it.headers.keys }.filterNot(::isHarmlessHeader).distinct()
    val parameters = operations.flatMap { it.path.substringAfter('?', "").split('&') }.map { it.substringBefore('=') }
        .filter { it.isNotEmpty() }.distinct()
    val bodies = operations.count { it.body != null }
    val all = listOfNotNull(
        headers.takeIf { it.isNotEmpty() }?.let { "headers ${shown(it)}" },
        parameters.takeIf { it.isNotEmpty() }?.let { "query parameters ${shown(it)}" },
        bodies.takeIf { it > 0 }?.let { "bodies of ${plural(it, "request")}" },
    ).ifEmpty { return null }
    return "Recorded values stay in the experiment: ${all.joinToString("; ")}. Check that none is a secret."
}

private fun shown(names: List<String>) = names.take(MOST_NAMES).joinToString() + if (names.size > MOST_NAMES) ", …" else ""

private const val MOST_NAMES = 15

/** `shop.test (12), localhost:8080 (3)`. */
internal fun named(hosts: Map<String, Int>): String =
    hosts.entries.sortedByDescending { it.value }.take(10).joinToString { (host, count) -> "$host ($count)" }

private fun scaled(count: Int, total: Int): Int =
    if (total <= LARGEST_SUM) count else (count.toLong() * LARGEST_SUM / total).toInt().coerceAtLeast(1)

/** The body of [found] in which no word in curly brackets is taken for a placeholder, where its type has an escape. */
private fun bodyOf(found: FoundRequest): String? {
    val body = found.body?.ifEmpty { null } ?: return null
    val type = found.contentType
    val isJson = type?.contains("json", ignoreCase = true) ?: (body.trimStart().take(1) in setOf("{", "["))
    val escape = when {
        isJson -> "\\u007b"
        type.orEmpty().contains("x-www-form-urlencoded", ignoreCase = true) -> "%7B"
        else -> return body
    }
    return PLACEHOLDER.replace(body) { escape + it.value.drop(1) }
}
