package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.OperationAnalysis
import bootdyno.model.Measure
import bootdyno.model.Subject
import bootdyno.model.Workload
import bootdyno.model.count
import bootdyno.model.listed
import bootdyno.model.percent

private class OperationRow(val cell: CellAnalysis, val operation: OperationAnalysis)

/** Figures by kind of request: the steps of a chain, the operations of a mix, or the named requests of a script. */
internal fun operationsSection(report: Report): Section? {
    val lines = report.measured.flatMap { cell -> cell.operations.map { OperationRow(cell, it) } }
    if (lines.isEmpty()) return null
    val table = table("Operations", lines) {
        text(report.noun) { if (it.operation === it.cell.operations.first()) nameOf(report, it.cell) else Words("") }
        text("operation") { Words(it.operation.name) }
        figure("requests/s") { withInterval(it.operation.throughput) }
        figure("answered", importance = 4) { Words(count(it.operation.answered)) }
        figure("errors", importance = 2) { errorsOf(it.operation) }
        SHOWN.forEach { measure ->
            figure(measure.word, "ms", if (measure == Measure.P99) 2 else 3) { latencyOf(it.operation.latency[measure]) }
        }
    }
    return Section("operations", "Operations", lead(lines), listOf(table))
}

private fun lead(lines: List<OperationRow>): String {
    val together = "The throughput of a cell is the sum of its operations."
    val several = lines.map { it.cell.cell.workload }.filter { it.operations.isNotEmpty() }
    val steps = "A step starts after the previous step succeeded; after a failure the chain starts again."
    val mixes = several.filter { it.mix }.distinctBy { it.declared }.map(::shares)
    return (listOfNotNull(together, steps.takeIf { several.any { !it.mix } }) + mixes).joinToString(" ")
}

private fun shares(mix: Workload): String {
    val sum = mix.steps.sumOf { it.weight }
    val shares = mix.steps.map { "${percent(it.weight / sum)} ${it.name}" }
    return "Requests of ${mix.declared} are chosen at random: ${listed(shares)}."
}

private val SHOWN = listOf(Measure.MEAN, Measure.P50, Measure.P90, Measure.P99, Measure.MAX)

private fun errorsOf(operation: OperationAnalysis): Words {
    val causes = operation.errors.filterValues { it > 0 }
    if (causes.isEmpty()) return Words("0", Tone.DIM)
    return Words(causes.entries.joinToString { "${count(it.value)} ${it.key.words}" }, Tone.BAD)
}

/** SQL statements of each subject and operation, and whether they are equal. Subjects with other statements are not comparable. */
internal fun paritySection(report: Report): Section? {
    val cells = report.analysis.run.plan.cells
    val (counted, uncounted) = cells.map { it.subject }.distinct().partition { it.statements.isNotEmpty() }
    if (counted.size < 2) return null
    val steps = cells.flatMap { it.workload.steps }.map { it.name }
    val operations = counted.flatMap { it.statements.keys }.distinct().map { Operation(it, counted, it in steps) }
    val missing = Paragraph("Not counted: ${listed(uncounted.map { it.name })}.", Tone.WARN).takeIf { uncounted.isNotEmpty() }
    val lead = "SQL statements per request, as the tests of these applications found them in the log of the database. " +
        "Only applications with equal statements can be compared."
    val blocks = listOfNotNull(verdict(operations, counted.size), missing, table(operations, counted))
    return Section("parity", "SQL statements per request", lead, blocks)
}

/** The statements of [subjects] for the operation [name]; [isMeasured]: whether this experiment sends it. */
private class Operation(val name: String, subjects: List<Subject>, val isMeasured: Boolean) {
    private val statements = subjects.map { it.statements[name] }

    /** Null if the statements of one subject are unknown. */
    val equal: Boolean? = if (null in statements) null else statements.distinct().size == 1
}

private fun verdict(operations: List<Operation>, subjects: Int): Paragraph {
    fun names(operations: List<Operation>) = listed(operations.map { it.name })
    val (measured, others) = operations.partition { it.isMeasured }
    val different = measured.filter { it.equal != true }
    val sentence = when {
        measured.isEmpty() -> "The statements of these requests are unknown."
        different.isEmpty() -> "Equal: all $subjects applications execute the same statements for ${names(measured)}."
        else -> "Not equal: for ${names(different)} the applications execute different or unknown statements."
    }
    val elsewhere = others.filter { it.equal == false }
    return Paragraph(
        sentence + if (elsewhere.isEmpty()) "" else " Different, but not measured here: ${names(elsewhere)}.",
        if (measured.isNotEmpty() && different.isEmpty()) Tone.GOOD else Tone.WARN,
    )
}

/** One column per subject; subjects with equal statements share a column. */
private fun table(operations: List<Operation>, subjects: List<Subject>): Table =
    table("Statements for each operation", operations) {
        text("operation") { Words(it.name) }
        text("statements", importance = 1) { operation ->
            val sign = when (operation.equal) {
                true -> Sign("✓ equal", Tone.GOOD)
                false -> Sign("✗ different", if (operation.isMeasured) Tone.BAD else Tone.WARN)
                null -> Sign("? not counted", Tone.WARN)
            }
            badge(sign)
        }
        subjects.groupBy { it.statements }.forEach { (statements, alike) ->
            text(alike.joinToString { it.name }, importance = 2) { operation ->
                Words(statements[operation.name]?.joinToString(" ")?.ifEmpty { "none" } ?: "–")
            }
        }
        text("measured here", importance = 3) { Words(if (it.isMeasured) "yes" else "–", Tone.DIM) }
    }
