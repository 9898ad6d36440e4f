package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Experiment
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.ResponseTime

/**
 * Cells are ranked by throughput. The requests of a burst are fixed, so its cells are ranked by the time that they take. After a single failed
 * request, that of all does not exist. That of 50 % misses the users who wait for the accept queue or a timeout.
 */
internal val Cell.rankedBy: Measure get() = if (isBurst) Measure.TIME_TO_99 else Measure.THROUGHPUT

/** What a cell is compared by, as far as [isComparedUnder] its load. */
internal val Cell.comparedBy: List<Measure>
    get() = listOf(rankedBy, Measure.CAPACITY) + RESPONSE_TIMES.filter { it.isComparedUnder(profile.loadInWindow) } +
        listOf(Measure.CPU_PER_REQUEST, Measure.RSS, Measure.STARTUP)

internal val RESPONSE_TIMES = listOf(Measure.P50, Measure.P99, Measure.P999)

/**
 * Response times are compared under open load. Closed load sends less to a slow cell: its percentiles are service times under back-off, and get
 * no verdict.
 */
internal fun Measure.isComparedUnder(load: LoadProfile?): Boolean = source !is ResponseTime || load is LoadProfile.Open

/** What a claim or a gate compares. */
internal data class NamedMeasure(val measure: Measure, val operation: String?)

internal fun Experiment.named(): List<NamedMeasure> = claims.map { NamedMeasure(it.assertion.measure, it.assertion.operation) } +
    gates.map { NamedMeasure(it.left.measure, it.left.operation) }

/** The two cells of each claim and of each gate about [measure], of all requests or of one [operation]. */
internal fun Experiment.pairsNamedFor(measure: Measure, operation: String?): Set<Set<CellId>> {
    val ofClaims = claims.filter { it.assertion.measure == measure && it.assertion.operation == operation }.map { it.cells }
    val ofGates = gates.map { listOfNotNull(it.left, it.right) }
        .filter { sides -> sides.all { it.measure == measure && it.operation == operation } }
        .map { sides -> sides.map { it.cell } }
    return (ofClaims + ofGates).map { it.toSet() }.filter { it.size == 2 }.toSet()
}
