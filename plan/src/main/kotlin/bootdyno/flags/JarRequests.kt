package bootdyno.flags

import bootdyno.keys.ExpectKeys
import bootdyno.keys.STATUSES
import bootdyno.keys.WorkloadKeys
import bootdyno.keys.WrittenWorkload
import bootdyno.keys.nameOf
import bootdyno.keys.pathFault
import bootdyno.model.Expectation
import bootdyno.model.numbered
import bootdyno.model.redactText
import bootdyno.yaml.MapNode
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.mapNode
import bootdyno.yaml.shortened
import bootdyno.yaml.suggestion
import bootdyno.yaml.words

/** A request of `--request`: `POST /orders @order.json 201`. [body] is the content of the file after @, see [bodyFileOf]. */
data class RequestFlag(val text: String, val body: String? = null)

/** Method, path, a file after @, and the expected status. */
private val FORM = Regex("""(\S+)\s+(\S+)(?:\s+@(.+?))?(?:\s+(\d{3}))?""")

private const val JSON_TYPE = "application/json"
private const val FORM_TYPE = "application/x-www-form-urlencoded"
private val FORM_BODY = Regex("""[^\s=&{}<]+=[^\s{}<]*""")

/** The file with the body of `--request` [text]; null without one. */
fun bodyFileOf(text: String): String? = FORM.matchEntire(text.trim())?.groups?.get(3)?.value

/**
 * The workload of flags: one request, or a mix in which all [paths] and [requests] are sent equally often. Null after a problem. At least
 * one of them is given.
 */
internal fun workloadOf(paths: List<String>, requests: List<RequestFlag>, problems: Problems): WrittenWorkload? {
    val key = WorkloadKeys.methods.first().name
    val gets = paths.distinct().map { WrittenWorkload(nameOf("GET", it), mapNode(mapOf(key to TEXT.write(it))), words = it) }
    val all = gets + requests.distinct().map { flagRequest(it, problems) }
    val sound = all.filterNotNull()
    return when {
        sound.size < all.size -> null

        sound.size == 1 -> sound.single()

        else -> {
            val mix = mapOf(WorkloadKeys.mix.name to mapNode(operations(sound)))
            WrittenWorkload("mix", mapNode(mix), "${sound.size} requests")
        }
    }
}

/** [requests] by unique names of operations, which have no dots. */
private fun operations(requests: List<WrittenWorkload>): Map<String, MapNode> =
    requests.groupBy { it.name.replace('.', '-') }.flatMap { (name, same) ->
        numbered(name).asIterable().zip(same.map { it.node })
    }.toMap()

private fun flagRequest(flag: RequestFlag, problems: Problems): WrittenWorkload? {
    val place = Place("--request ${shortened(redactText(flag.text))}")
    val parts = FORM.matchEntire(flag.text.trim())?.groupValues
        ?: return problems.add(place, "", "is no request", "write METHOD PATH [@FILE] [STATUS]: POST /orders @order.json 201")
    val (method, path, _, status) = parts.drop(1)
    val key = WorkloadKeys.methods.find { it.name.equals(method, ignoreCase = true) }
    val fault = pathFault(path)
    return when {
        key == null -> problems.add(place, "", "`$method` is no method", suggestion(method, METHOD_NAMES, "methods"))

        fault != null -> problems.add(place, "", "`$path` $fault")

        status.isNotEmpty() && status.toInt() !in STATUSES -> problems.add(place, "", "`$status` is no status ${words(STATUSES)}")

        else -> {
            val body = flag.body?.trimEnd('\r', '\n')
            val headers = body?.let { mapOf("Content-Type" to contentTypeOf(it)) }
            val node = mapOf(
                key.name to TEXT.write(path),
                WorkloadKeys.headers.name to headers?.let(TEXTS_BY_NAME::write),
                WorkloadKeys.body.name to body?.let(TEXT::write),
                WorkloadKeys.expect.name to status.ifEmpty { null }?.let { ExpectKeys.write(Expectation(it.toInt())) },
            )
            WrittenWorkload(nameOf(key.name.uppercase(), path), mapNode(node), flag.text)
        }
    }
}

private val METHOD_NAMES = WorkloadKeys.methods.map { it.name.uppercase() }

/** JSON begins with a bracket, XML with `<`, and a form is `name=value&name=value`. */
private fun contentTypeOf(body: String): String = when (body.trimStart().firstOrNull()) {
    '{', '[' -> JSON_TYPE
    '<' -> "application/xml"
    else -> if (FORM_BODY.matches(body)) FORM_TYPE else "text/plain"
}
