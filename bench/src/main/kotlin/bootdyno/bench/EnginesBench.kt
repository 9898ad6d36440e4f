package bootdyno.bench

import bootdyno.engine.EngineChoice
import bootdyno.model.LoadProfile
import java.nio.file.Files
import java.nio.file.Path

/**
 * All [choices] against the same servers, in interleaved rounds: one as fast as it can, two whose latencies are known.
 *
 * An engine that cannot start, or breaks, is in the table with its reason. What engines fetch goes to [cache], logs to [folder].
 */
internal fun benchEngines(
    plan: BenchPlan,
    choices: List<EngineChoice>,
    cache: Path,
    folder: Path,
    print: (String) -> Unit,
): EnginesTable {
    Files.createDirectories(folder)
    val setup = BenchSetup.here(folder)
    val contestants = choices.map(::Contestant)
    val servers = COMPARED.map { Server(it, TruthProcess.start(it.truth, setup)) }
    try {
        contestants.forEach { contestant ->
            print("starting ${contestant.name}…")
            contestant.start(setup.context(contestant.name, cache))
            contestant.broken?.let { print("${contestant.name}: $it") }
        }
        // The servers are warmed by everyone's first turn, which does not count.
        for (round in 0..plan.rounds) takeTurns(round, plan, contestants, servers, print)
    } finally {
        contestants.forEach { it.close() }
        servers.forEach { it.process.close() }
    }
    return EnginesTable(plan, contestants.map { it.row() }, listOfNotNull(setup.doubt))
}

private class Server(val case: ComparedTruth, val process: TruthProcess)

private fun takeTurns(
    round: Int,
    plan: BenchPlan,
    contestants: List<Contestant>,
    servers: List<Server>,
    print: (String) -> Unit,
) {
    val order = if (round % 2 == 0) contestants else contestants.reversed()
    for (contestant in order.filter { it.broken == null }) {
        print("${contestant.name}: ${if (round == 0) "warming the servers" else "round $round of ${plan.rounds}"}…")
        servers.forEach {
            val load = benchOrder(it.process.port, LoadProfile.Closed(it.case.connections), plan.slice, SETTLE)
            contestant.measure(it.case, load, counts = round > 0)
        }
        contestant.broken?.let { print("${contestant.name}: $it") }
    }
}
