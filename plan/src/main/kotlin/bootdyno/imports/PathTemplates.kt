package bootdyno.imports

import bootdyno.keys.nameOf
import bootdyno.keys.pathFault
import bootdyno.model.csvText
import java.util.Random

/** Values that differ from request to request: numbers, UUIDs, dates, hexadecimal and numbered ids. */
private val ID = Regex(
    """-?\d+|(?:[A-Za-z]{1,20}[-_:])?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\d{4}-\d{2}-\d{2}|[0-9a-fA-F]{16,}|[A-Za-z]{1,8}[-_]?\d{3,}""",
)

/** Different ids in one segment of a path, or different values of a query parameter, that stay separate requests. */
private const val FEW_IDS = 3

/** Different words in one segment of a path that stay separate requests. */
private const val MANY_WORDS = 20

/** Longer targets stay as they are. */
private const val MOST_PARTS = 40
private const val LONGEST_VALUE = 60

/** Limits of the data file, which the load generator keeps in memory. */
private const val MOST_ROWS = 100_000
private const val MOST_VALUES = 400_000

/** A part of a path or query: [value] after [before], as `orders` after `/`, `2` after `&page=`. Null: the value differs. */
private data class Part(val before: String, val value: String?) {
    val isSegment: Boolean get() = before == "/"
}

private class LoggedParts(val logged: Logged, val count: Int) {
    val parts: List<Part> = partsOf(logged.target)

    fun value(at: Int): String = parts[at].value.orEmpty()
}

/** Requests with the same [parts], except for values that differ. */
private class PathTemplate(val parts: List<Part>, val requests: List<LoggedParts>)

/**
 * Adds requests by their number in [counts]. Those whose paths and queries differ only in values, as ids, become one operation;
 * the values become columns in which each is as frequent as in the log.
 */
internal fun addTemplates(
    counts: Map<Logged, Int>,
    collected: Collected,
    headers: Map<String, String> = emptyMap(),
    addOne: (Logged, Int) -> Unit = { one, count ->
        collected.add(FoundRequest("", one.method, one.target, status = one.status), count)
    },
) {
    val alike = counts.entries.groupBy { it.key.copy(target = "") }.values
    alike.flatMap { same -> templates(same.map { LoggedParts(it.key, it.value) }, 0, emptyList()) }.forEach { template ->
        val one = template.requests.singleOrNull()
        if (one == null) add(template, collected, headers) else addOne(one.logged, one.count)
    }
}

private fun add(template: PathTemplate, collected: Collected, headers: Map<String, String>) {
    val method = template.requests.first().logged.method
    val count = template.requests.sumOf { it.count }
    val plain = template.parts.joinToString("") { encoded(it.before) + it.value?.let(::encoded).orEmpty() }
    pathFault(plain)?.let { return collected.leaveOut("its path $it", "$method $plain", count) }
    val byFrequency = template.requests.sortedByDescending { it.count }
    val path = template.parts.withIndex().joinToString("") { (at, part) ->
        encoded(part.before) + (part.value?.let(::encoded) ?: "{${column(template.parts, at, byFrequency, collected)}}")
    }
    val name = nameOf(method, template.parts.filter { it.isSegment }.joinToString("") { "/${it.value ?: "id"}" })
    collected.add(ImportedOperation(name, method, path, headers, status = template.requests.first().logged.status), count)
}

/** Name of the column with the values of the part [at]. */
private fun column(parts: List<Part>, at: Int, requests: List<LoggedParts>, collected: Collected): String {
    val part = parts[at]
    val wished = if (part.isSegment) "${parts.getOrNull(at - 1)?.value.orEmpty()}-id" else part.before.trim('?', '&', '=')
    val values = requests.flatMap { one ->
        val decoded = decoded(part, one.value(at)).orEmpty()
        List(one.count) { decoded }
    }
    return collected.column(wished, values)
}

/** A query writes a space as `+`. */
private fun decoded(part: Part, value: String) = percentDecoded(if (part.isSegment) value else value.replace("+", "%20"))

private fun partsOf(target: String): List<Part> {
    val segments = target.substringBefore('?').removePrefix("/").split('/').map { Part("/", it) }
    val pairs = if ('?' in target) target.substringAfter('?').split('&') else emptyList()
    val query = pairs.mapIndexed { index, pair ->
        val sign = if (index == 0) "?" else "&"
        if ('=' in pair) Part("$sign${pair.substringBefore('=')}=", pair.substringAfter('=')) else Part(sign + pair, "")
    }
    return (segments + query).takeIf { it.size <= MOST_PARTS } ?: listOf(Part(target, ""))
}

/** Splits [requests], which begin with [begin], by their parts from index [at] on. */
private fun templates(requests: List<LoggedParts>, at: Int, begin: List<Part>): List<PathTemplate> {
    val (ended, longer) = requests.partition { it.parts.size == at }
    val next = longer.groupBy { it.parts[at].before }.values.flatMap { alike ->
        val differing = differing(alike, at)
        alike.groupBy { it.parts[at].copy(value = it.value(at).takeIf { value -> value !in differing }) }
            .flatMap { (part, same) -> templates(same, at + 1, begin + part) }
    }
    return listOfNotNull(ended.takeIf { it.isNotEmpty() }?.let { PathTemplate(begin, it) }) + next
}

/** The values of the part [at] that one template stands for. Words in the first segment stay. */
private fun differing(requests: List<LoggedParts>, at: Int): Set<String> {
    val part = requests.first().parts[at]
    val values = requests.map { it.value(at) }.distinct().filter { mayDiffer(part, it) }
    if (!part.isSegment) return values.takeIf { it.size > FEW_IDS }.orEmpty().toSet()
    val (ids, words) = values.partition(ID::matches)
    return (ids.takeIf { it.size > FEW_IDS }.orEmpty() + words.takeIf { at > 0 && it.size > MANY_WORDS }.orEmpty()).toSet()
}

/** Whether [value] stays the same when it is decoded, and encoded for a path or query. */
private fun mayDiffer(part: Part, value: String): Boolean = value.length in 1..LONGEST_VALUE && value.none { it in ";/?" } &&
    decoded(part, value)?.none(Char::isISOControl) == true

/** A CSV table with up to 100,000 rows, whose values are as frequent as in each of [columns]; null without columns. */
internal fun dataOf(columns: Map<String, List<String>>): String? {
    if (columns.isEmpty()) return null
    val size = minOf(MOST_ROWS, MOST_VALUES / columns.size, columns.values.maxOf { it.size }).coerceAtLeast(1)
    val rows = (0 until size).map { row -> columns.values.map { it[((row + 0.5) / size * it.size).toInt()] } }
    return csvText(sequenceOf(columns.keys.toList()) + rows.shuffled(Random(1)).asSequence())
}
