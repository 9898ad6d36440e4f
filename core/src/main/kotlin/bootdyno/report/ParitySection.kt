package bootdyno.report

import bootdyno.model.Subject
import bootdyno.model.listed

/** What each subject has its database execute for an operation, and whether they all ask for the same: else they are not comparable. */
internal fun paritySection(report: Report): Section? {
    val cells = report.analysis.run.plan.cells
    val subjects = cells.map { it.subject }.distinct()
    val counted = subjects.filter { it.statements.isNotEmpty() }
    if (counted.size < 2) return null
    val measured = cells.flatMap { it.workload.steps }.map { it.name }.toSet()
    val operations = counted.flatMap { it.statements.keys }.distinct().map { Operation(it, counted, it in measured) }
    val blocks = listOf(Paragraph(verdict(operations), tone(operations))) +
        listOfNotNull(uncounted(subjects - counted.toSet()), table(operations))
    val lead = "SQL statements per request, as the tests of these applications found them in the log of the database. " +
        "Only applications with equal statements can be compared."
    return Section("parity", "SQL statements per request", lead, blocks)
}

/** What [subjects] execute for the operation [name], of which some request of this experiment [isMeasured]. */
private class Operation(val name: String, val subjects: List<Subject>, val isMeasured: Boolean) {
    val statements: List<List<String>?> = subjects.map { it.statements[name] }

    /** Null where one of them was not counted. */
    val equal: Boolean? = if (null in statements) null else statements.distinct().size == 1
}

private fun verdict(operations: List<Operation>): String {
    val measured = operations.filter { it.isMeasured }
    val different = measured.filter { it.equal != true }
    val others = operations.filter { !it.isMeasured && it.equal == false }
    val sentence = when {
        measured.isEmpty() -> "The statements of these requests are unknown."

        different.isEmpty() ->
            "Equal: all ${measured.first().subjects.size} applications execute the same statements for ${names(measured)}."

        else ->
            "Not equal: for ${names(different)} the applications execute different or unknown statements."
    }
    return sentence + if (others.isEmpty()) "" else " Different, but not measured here: ${names(others)}."
}

private fun tone(operations: List<Operation>): Tone {
    val measured = operations.filter { it.isMeasured }
    return if (measured.isNotEmpty() && measured.all { it.equal == true }) Tone.GOOD else Tone.WARN
}

private fun names(operations: List<Operation>) = listed(operations.map { it.name })

private fun uncounted(subjects: List<Subject>): Paragraph? =
    if (subjects.isEmpty()) null else Paragraph("Not counted: ${listed(subjects.map { it.name })}.", Tone.WARN)

/** A subject is a column; those that execute the same for every operation share it. */
private fun table(operations: List<Operation>): Table {
    val subjects = operations.first().subjects
    val alike = subjects.groupBy { it.statements }.values.toList()
    return Table(
        caption = "Statements for each operation",
        columns = listOf(Column("operation", importance = 0), Column("statements", importance = 1)) +
            alike.map { Column(it.joinToString(", ") { subject -> subject.name }, importance = 2) } +
            Column("measured here", importance = 3),
        rows = operations.map { row(it, alike) },
    )
}

private fun row(operation: Operation, alike: List<List<Subject>>): Row {
    val equal = when (operation.equal) {
        true -> Sign("✓ equal", Tone.GOOD)
        false -> Sign("✗ different", if (operation.isMeasured) Tone.BAD else Tone.WARN)
        null -> Sign("? not counted", Tone.WARN)
    }
    return Row(
        listOf(Words(operation.name), badge(equal)) +
            alike.map { Words(text(it.first().statements[operation.name])) } +
            Words(if (operation.isMeasured) "yes" else "–", Tone.DIM),
    )
}

private fun text(statements: List<String>?): String = when {
    statements == null -> "–"
    statements.isEmpty() -> "none"
    else -> statements.joinToString(" ")
}
