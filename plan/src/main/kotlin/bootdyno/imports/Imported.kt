package bootdyno.imports

import bootdyno.keys.ExpectKeys
import bootdyno.keys.OperationKeys
import bootdyno.keys.WorkloadKeys
import bootdyno.keys.WrittenWorkload
import bootdyno.keys.nameable
import bootdyno.model.Expectation
import bootdyno.model.count
import bootdyno.model.plural
import bootdyno.yaml.MapNode
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.mapNode

/** Maximum number of operations of an imported workload: the most frequent ones, or the first ones of the file. */
const val MOST_OPERATIONS = 30

/** Left-out requests that the summary shows for each reason. */
private const val MOST_SHOWN = 5

/** One request of the imported mix; [path] may contain placeholders of data columns. [weight] is relative to the others. */
data class ImportedOperation(
    val name: String,
    val method: String,
    val path: String,
    val headers: Map<String, String> = emptyMap(),
    val body: String? = null,
    val status: Int = 200,
    val weight: Int = 1,
)

/** Requests of the file that are not sent, with the [reason]; [requests] has up to 100 different ones, [count] counts all. */
data class LeftOut(val reason: String, val requests: List<String>, val count: Int)

/** The requests of a file as operations of a mix. No secret of the file is in it. */
data class Imported(
    /** `HAR file`, `access log`. */
    val kind: String,
    val operations: List<ImportedOperation>,
    val leftOut: List<LeftOut> = emptyList(),
    /** Names of secrets that were removed, with the number of requests: `header Authorization`. */
    val secrets: Map<String, Int> = emptyMap(),
    /** CSV text with the values of the placeholders; null without placeholders. */
    val data: String? = null,
    /** Sentences for the user. */
    val notes: List<String> = emptyList(),
) {
    /** The mix for an experiment, called like [file]; [dataPath] is the absolute path of a file with [data]. */
    fun workload(file: String, dataPath: String?): WrittenWorkload {
        val name = nameable(file.substringBeforeLast('.'))
        if (data == null) operations.singleOrNull()?.let { return WrittenWorkload(name, nodeOf(it.copy(weight = 1), emptySet())) }
        val common = operations.map { it.headers.entries.toSet() }.reduce { one, other -> one intersect other }
        val ofAll = common.associate { it.key to it.value }
        val fields = mapOf(
            WorkloadKeys.mix.name to mapNode(operations.associate { it.name to nodeOf(it, ofAll.keys) }),
            WorkloadKeys.headers.name to ofAll.takeIf { it.isNotEmpty() }?.let(TEXTS_BY_NAME::write),
            WorkloadKeys.data.name to dataPath?.takeIf { data != null }?.let(TEXT::write),
        )
        return WrittenWorkload(name, mapNode(fields))
    }

    /** What is requested and what is left out, for the terminal. */
    fun summary(file: String): String = buildList {
        add("$file ($kind): ${plural(operations.size, "operation")}")
        val width = operations.maxOfOrNull { it.name.length } ?: 0
        operations.forEach {
            val answer = if (it.status == Expectation().status) "" else "  status ${it.status}"
            add("  ${it.name.padEnd(width)}  ${it.method} ${it.path}  weight ${count(it.weight)}$answer")
        }
        if (leftOut.isNotEmpty()) add("Left out:")
        leftOut.forEach { out ->
            val more = if (out.requests.size > MOST_SHOWN) ", …" else ""
            add("  ${plural(out.count, "request")}, ${out.reason}: ${out.requests.take(MOST_SHOWN).joinToString()}$more")
        }
        if (secrets.isNotEmpty()) {
            val names = secrets.entries.joinToString { (name, amount) -> "$name (${count(amount)})" }
            add("Secrets are not imported: $names.")
            add("  If the requests need them, add `login` or `headers` to the workload in a file: --write-experiment FILE.")
        }
        addAll(notes)
    }.joinToString("\n")
}

/** [inherited]: names of headers that the workload has for all operations. */
private fun nodeOf(operation: ImportedOperation, inherited: Set<String>): MapNode {
    val headers = operation.headers - inherited
    return mapNode(
        mapOf(
            operation.method.lowercase() to TEXT.write(operation.path),
            WorkloadKeys.headers.name to headers.takeIf { it.isNotEmpty() }?.let(TEXTS_BY_NAME::write),
            WorkloadKeys.body.name to operation.body?.let(TEXT::write),
            WorkloadKeys.expect.name to Expectation(operation.status).takeIf { it != Expectation() }?.let(ExpectKeys::write),
            OperationKeys.weight.name to operation.weight.takeIf { it != 1 }?.let { TEXT.write("$it") },
        ),
    )
}
