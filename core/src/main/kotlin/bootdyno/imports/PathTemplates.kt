package bootdyno.imports

import bootdyno.model.csvText
import bootdyno.model.looksSecret

private val VALUE = Regex("""-?\d+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\d{4}-\d{2}-\d{2}|[0-9a-fA-F]{16,}|[A-Za-z]{1,8}[-_]?\d{3,}""")

/** Templates with fewer different paths stay separate operations. */
private const val FEW = 3
private const val MOST_ROWS = 10_000

/** Joins paths with numbers, UUIDs, dates and ids in the same places; the values become data rows by their frequency. */
internal fun templates(counts: Map<String, Int>, collected: Collected) {
    val groups = counts.entries.groupBy { (request, _) -> request.split('/').joinToString("/") { if (VALUE.matches(it)) "{}" else it } }
        .entries.sortedByDescending { (_, of) -> of.sumOf { it.value } }
    val columns = linkedMapOf<String, List<String>>()
    groups.forEachIndexed { index, (template, of) ->
        val holes = template.split("{}").size - 1
        if (holes == 0 || of.size <= FEW || index >= MOST_OPERATIONS || looksSecret(template)) {
            of.forEach { (request, count) -> repeat(count) { collected.add(FoundRequest("", request.substringBefore(' '), request.substringAfter(' '))) } }
        } else {
            val names = (1..holes).map { "v${index + 1}-$it" }
            val path = names.fold(template.substringAfter(' ')) { so, name -> so.replaceFirst("{}", "{$name}") }
            val method = template.substringBefore(' ')
            collected.add(ImportedOperation(nameOf(method, template.substringAfter(' ')), method, path), of.sumOf { it.value })
            val rows = of.sortedByDescending { it.value }.flatMap { (request, count) -> List(count) { request } }
            val values = rows.map { request -> request.split('/').filter(VALUE::matches) }
            names.forEachIndexed { at, name -> columns[name] = values.map { it[at] } }
        }
    }
    if (columns.isEmpty()) return
    val size = minOf(MOST_ROWS, columns.values.maxOf { it.size })
    val rows = (0 until size).map { row -> columns.values.map { it[((row + 0.5) / size * it.size).toInt()] } }
    collected.data = csvText(sequenceOf(columns.keys.toList()) + rows.shuffled(java.util.Random(1)).asSequence())
}
