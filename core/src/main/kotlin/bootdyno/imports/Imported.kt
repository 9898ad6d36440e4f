package bootdyno.imports

import bootdyno.model.count
import bootdyno.model.plural
import bootdyno.plan.Field
import bootdyno.plan.MapNode
import bootdyno.plan.NOWHERE
import bootdyno.plan.TextNode
import bootdyno.plan.WrittenWorkload
import bootdyno.plan.mapNode

/** Maximum number of operations of an imported workload: the most frequent ones, or the first ones of the file. */
const val MOST_OPERATIONS = 30

/** Names of left-out requests that the summary shows for each reason. */
private const val MOST_SHOWN = 5

/** One request of the imported mix; [path] may contain placeholders of data columns. [weight] is relative to the other operations. */
data class ImportedOperation(
    val name: String,
    val method: String,
    val path: String,
    val headers: Map<String, String> = emptyMap(),
    val body: String? = null,
    val status: Int = 200,
    val weight: Int = 1,
)

/** Requests of the file that are not sent, with the [reason]; [requests] has different ones, [count] counts all. */
data class LeftOut(val reason: String, val requests: List<String>, val count: Int)

/** The requests of a file as operations of a mix. No secret of the file is in it. */
data class Imported(
    /** `HAR`, `access log`. */
    val kind: String,
    val operations: List<ImportedOperation>,
    val leftOut: List<LeftOut> = emptyList(),
    /** Names of secrets that were dropped, with the number of requests: `header Authorization`. */
    val secrets: Map<String, Int> = emptyMap(),
    /** CSV text with the values of the placeholders; null without placeholders. */
    val data: String? = null,
    /** Sentences for the user. */
    val notes: List<String> = emptyList(),
) {
    /** The mix for an experiment; [dataPath] is the absolute path of a file with [data]. */
    fun workload(name: String, dataPath: String?): WrittenWorkload {
        val mix = mapNode(operations.associate { it.name to nodeOf(it) })
        val workload = mapNode(mapOf("mix" to mix, "data" to dataPath?.takeIf { data != null }?.let(::textNode)))
        return WrittenWorkload(name, workload)
    }

    /** What is requested and what is left out, for the terminal. */
    fun summary(file: String): String = buildList {
        add("$file ($kind): ${plural(operations.size, "operation")}")
        val width = operations.maxOfOrNull { it.name.length } ?: 0
        operations.forEach { add("  ${it.name.padEnd(width)}  ${it.method} ${it.path}  weight ${count(it.weight)}") }
        if (leftOut.isNotEmpty()) add("Left out:")
        leftOut.forEach { out ->
            val more = if (out.requests.size > MOST_SHOWN) ", …" else ""
            add("  ${plural(out.count, "request")}, ${out.reason}: ${out.requests.take(MOST_SHOWN).joinToString()}$more")
        }
        if (secrets.isNotEmpty()) {
            add("Secrets are never imported: " + secrets.entries.joinToString { (name, amount) -> "$name ($amount)" } + ".")
            add("  If the requests need them, add `login` or `headers` to the workload.")
        }
        addAll(notes)
    }.joinToString("\n")
}

private fun nodeOf(operation: ImportedOperation): MapNode = mapNode(
    mapOf(
        operation.method.lowercase() to textNode(operation.path),
        "headers" to operation.headers.takeIf { it.isNotEmpty() }?.let { all -> mapNode(all.mapValues { textNode(it.value) }) },
        "body" to operation.body?.let(::textNode),
        "expect" to operation.status.takeIf { it != 200 }?.let { status ->
            MapNode(listOf(Field("status", NOWHERE, textNode("$status"))), NOWHERE)
        },
        "weight" to operation.weight.takeIf { it != 1 }?.let { textNode("$it") },
    ),
)

private fun textNode(text: String) = TextNode(text, NOWHERE)
