package bootdyno.explain

import bootdyno.model.Sessions
import bootdyno.model.SessionsReading
import bootdyno.model.percent
import bootdyno.model.rounded
import bootdyno.model.timeOfSeconds
import bootdyno.occupancy.NEARLY_ALL_DUMPS

/** Statements and states below this share of the busy sessions are not mentioned. */
private const val MENTIONED = 0.2

/** Longer statements are cut. */
private const val LONGEST_STATEMENT = 100

/** Sessions of the database wait for a lock that another session holds until its transaction ends: one transaction at a time. */
internal class DatabaseLock(private val observed: Observed, private val waiting: Double, private val sample: Sessions) :
    Conclusion {
    override val limit = LimitName("Lock in the database (${sample.wait ?: "lock"})")
    override val measured: String
        get() = "${observed.rate}: ${rounded(waiting)} sessions wait for it on average" +
            sample.statement?.let { ", in `${cut(it)}`" }.orEmpty() +
            "; one gets it every ${timeOfSeconds(1 / observed.throughput)}."
    override val details: List<String>
        get() = observed.full.firstOrNull()?.let { listOf("Full because of it: ${it.name}.") }.orEmpty()
    override val advice =
        Advice("Hold the lock for a shorter time: end the transaction sooner, or change fewer rows that all requests share", null)
}

internal fun databaseLock(observed: Observed): Conclusion? {
    val readings = observed.busySessions
    fun lockWaits(reading: SessionsReading) = reading.sessions.filter { it.waitsForLock }
    if (observed.share(readings) { lockWaits(it).isNotEmpty() } < NEARLY_ALL_DUMPS) return null
    val waiting = readings.map { reading -> lockWaits(reading).sumOf { it.count } }.average()
    val busy = readings.map { reading -> reading.sessions.sumOf { it.count } }.average()
    val sample = readings.flatMap(::lockWaits).groupBy { it.wait to it.statement }.values
        .maxBy { same -> same.sumOf { it.count } }.first()
    return if (waiting >= MOSTLY * busy) DatabaseLock(observed, waiting, sample) else null
}

/** What the sessions of the database did that were not idle, as sentences. */
internal fun databaseWork(observed: Observed): List<String> {
    val sessions = observed.busySessions.flatMap { it.sessions }
    val all = sessions.sumOf { it.count }.takeIf { it > 0 } ?: return emptyList()
    fun share(of: List<Sessions>) = of.sumOf { it.count }.toDouble() / all
    val inTransaction = share(sessions.filter { it.isIdleInTransaction })
    val statement = sessions.filter { it.isActive && it.statement != null }
        .groupBy { it.statement }.maxByOrNull { share(it.value) }
    return listOfNotNull(
        statement?.takeIf { share(it.value) >= MENTIONED }?.let { (text, same) ->
            "Of the busy database sessions, ${percent(share(same))} execute `${cut(text.orEmpty())}`" +
                same.mapNotNull { it.longestSeconds }.maxOrNull()?.let { ", for up to ${timeOfSeconds(it)}" }.orEmpty() + "."
        },
        inTransaction.takeIf { it >= MENTIONED }?.let {
            "${percent(it)} of them are idle in a transaction: the application holds a connection without using it."
        },
    )
}

/** Readings of the sessions that are not idle. */
private val Observed.busySessions: List<SessionsReading>
    get() = diagnosis.database?.readings.orEmpty().map { it.copy(sessions = it.sessions.filterNot(Sessions::isIdle)) }

private fun cut(statement: String): String =
    if (statement.length > LONGEST_STATEMENT) statement.take(LONGEST_STATEMENT) + "…" else statement
