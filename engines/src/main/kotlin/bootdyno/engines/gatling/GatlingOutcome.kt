package bootdyno.engines.gatling

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.allToSubject
import bootdyno.engine.ofWholeRun
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isRegularFile

/** The results of a run of our own simulation, or a [user]'s, or the reason for none. The log is somewhere in [folder]. */
internal class GatlingOutcome(
    private val order: LoadOrder,
    private val user: UserSimulation?,
    private val ended: GatlingEnded,
    private val folder: Path,
    private val context: EngineContext,
) {
    private val isOurs = user == null
    private val isBurst = order.load.isBurst

    fun measured(): LoadMeasured {
        if (ended.exitCode != GOOD && ended.exitCode != ASSERTIONS_FAILED) {
            throw failed("Gatling ended with exit code ${ended.exitCode}")
        }
        val ours = if (isOurs) OurRun(LOAD_SCENARIO, ended.sendingSince, order.operations, isBurst) else null
        val tally = LogTally(span(), order.drain.inWholeMilliseconds, ours)
        readSimulationLog(simulationLog(), tally::take)
        check(tally)
        tally.unknown.texts.forEach { context.note("counted as another failure: $it") }
        tally.crashes.texts.forEach { context.note("never sent: $it") }
        return tally.toMeasured(
            engine = "gatling $GATLING_VERSION",
            // A burst may be shorter than Gatling's resolution.
            windowSeconds = maxOf(tally.to - tally.from, 1) / 1e3,
            generator = context.generator(ended.cpu.seconds(tally.from, tally.to)),
            due = tally.due.takeIf { isOurs && order.load.isOpen },
            leftAfter = tally.left,
            drainSeconds = tally.drained / 1e3,
            printed = ofWholeRun(tally.good + tally.bad, tally.bad),
            complaints = complaints(tally),
        )
    }

    private fun span(): Span =
        if (isOurs) Span(order.settle.inWholeMilliseconds, order.window.inWholeMilliseconds, lasts = !isBurst) else Span()

    private fun simulationLog(): Path = Files.walk(folder).use { files ->
        files.filter { it.isRegularFile() && it.fileName.toString() == "simulation.log" }.findFirst().orElse(null)
    } ?: throw failed("Gatling wrote no simulation.log (a gatling.conf must leave `file` among its data writers)")

    /** Rejects results if the log and the printed totals disagree. */
    private fun check(tally: LogTally) {
        val requests = tally.good + tally.bad
        if (requests == 0L) {
            val crash = tally.crashes.texts.firstOrNull()?.let { " Its message: $it." }.orEmpty()
            throw failed("Gatling made no request.$crash")
        }
        val summary = ended.summary ?: throw failed("Gatling printed no summary")
        if (summary.good != tally.good || summary.bad != tally.bad) {
            throw failed(
                "Gatling printed ${summary.good} good and ${summary.bad} failed requests, but its log holds ${tally.good} and ${tally.bad}",
            )
        }
        if (isOurs && tally.usersStarted != tally.usersEnded) {
            throw failed(
                "${tally.usersStarted - tally.usersEnded} of ${tally.usersStarted} users did not end within ${order.longest}",
            )
        }
        if (isOurs && tally.crashes.count > 0) throw failed("Gatling could not build a request: ${tally.crashes.texts.first()}")
    }

    private fun complaints(tally: LogTally): Map<String, Long> = mapOf(
        "requests not built by the script (${tally.crashes.texts.firstOrNull()})" to tally.crashes.count,
        "users without an end" to tally.usersStarted - tally.usersEnded,
        "failed assertions, or more" to if (ended.exitCode == ASSERTIONS_FAILED) 1L else 0L,
    ).filterValues { it > 0 } + allToSubject("simulation", user?.local.orEmpty())

    private fun failed(reason: String) = EngineFailed("$reason: ${ended.lastWords}")
}

private const val GOOD = 0
private const val ASSERTIONS_FAILED = 2
