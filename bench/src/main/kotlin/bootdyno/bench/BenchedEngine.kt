package bootdyno.bench

import bootdyno.engine.EngineChoice
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.model.EngineSpec
import kotlin.time.Duration

/** A load engine in the benchmark, with its results so far. After a failure it is skipped. */
internal class BenchedEngine(private val choice: EngineChoice, cases: List<BenchCase>) : AutoCloseable {
    private var engine: LoadEngine? = null
    val name: String get() = choice.name
    val turns = cases.associateWith { mutableListOf<LoadMeasured>() }

    /** Reason of the failure; null without one. */
    var broken: String? = null
        private set

    /** Whether results for all cases exist. */
    val whole: Boolean get() = broken == null && turns.values.none { it.isEmpty() }

    /** Name and version as reported by the engine. */
    val version: String get() = turns.values.first().first().found.engine

    fun start(setup: BenchSetup) {
        choice.whyNot()?.let { throw EngineFailed(it) }
        choice.start(setup.context(name), EngineSpec(name)).also { engine = it }.warmItself()
    }

    fun measure(case: BenchCase, port: Int, window: Duration): LoadMeasured {
        val measured = checkNotNull(engine) { "$name was not started" }.drive(benchOrder(port, case.load, window))
        val found = measured.found
        if (found.answered > 0 && found.errors.isEmpty()) return measured
        throw EngineFailed("${case.name}: ${found.answered} answered, errors ${found.errors}")
    }

    /** Runs [action] and prints its description [what], or the reason of its failure. Does nothing after a failure. */
    fun attempt(what: String, print: (String) -> Unit, action: () -> Unit) {
        if (broken != null) return
        print(what)
        try {
            action()
        } catch (failure: EngineFailed) {
            broken = failure.message.orEmpty().also { print("$name: $it") }
        }
    }

    override fun close() {
        engine?.close()
    }
}

/**
 * Measures each of [choices] against the server of each of [cases], in interleaved [rounds]. Round 0 warms the servers and is not
 * counted. The failure of one engine does not stop the others.
 */
internal fun measureInterleaved(
    setup: BenchSetup,
    choices: List<EngineChoice>,
    cases: List<BenchCase>,
    rounds: IntRange,
    slice: Duration,
    print: (String) -> Unit,
): List<BenchedEngine> {
    val contestants = choices.map { BenchedEngine(it, cases) }
    val servers = cases.associateWith { TruthProcess.start(it.server, setup) }
    try {
        contestants.forEach { it.attempt("starting ${it.name}…", print) { it.start(setup) } }
        for (round in rounds) {
            val what = if (round == 0) "warming the servers" else "round $round of ${rounds.last}"
            (if (round % 2 == 0) contestants else contestants.reversed()).forEach { contestant ->
                contestant.attempt("${contestant.name}: $what…", print) {
                    servers.forEach { (case, server) ->
                        val measured = contestant.measure(case, server.port, case.window ?: slice)
                        if (round > 0) contestant.turns.getValue(case) += measured
                    }
                }
            }
        }
    } finally {
        contestants.forEach { it.close() }
        servers.values.forEach { it.close() }
    }
    return contestants
}

/** CPU microseconds per request, from the CPU time that the engine reports: of the window, or of its whole run. */
internal val LoadMeasured.cpuMicros: Double get() = found.generator.cpuSeconds * MICROS_PER_SECOND / found.answered

internal const val MICROS_PER_SECOND = 1e6
