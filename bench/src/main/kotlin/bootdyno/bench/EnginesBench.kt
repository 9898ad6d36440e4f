package bootdyno.bench

import bootdyno.engine.EngineChoice
import bootdyno.engine.LoadOrder
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** How long and how often to compare engines. [slice] is the window of one engine's turn against one server. */
data class EnginesPlan(val rounds: Int = 5, val slice: Duration = 10.seconds)

/** Load before each window that does not count, for a tool that starts cold. */
private val SETTLE = 2.seconds

/**
 * All [choices] against the same servers, in interleaved rounds: one as fast as it can, two whose latencies are known.
 *
 * An engine that cannot start, or breaks, is in the table with its reason. What engines fetch goes to [cache], logs to [folder].
 */
fun benchEngines(
    plan: EnginesPlan,
    choices: List<EngineChoice>,
    cache: Path,
    folder: Path,
    print: (String) -> Unit,
): EnginesTable {
    Files.createDirectories(folder)
    val place = BenchSetup.here(folder)
    val contestants = choices.map(::Contestant)
    val servers = COMPARED.map { Server(it, TruthProcess.start(it.truth, place.targetCpus, place.log("target"))) }
    try {
        contestants.forEach { contestant ->
            print("starting ${contestant.name}…")
            contestant.start(place.context(contestant.name, cache))
            contestant.broken?.let { print("${contestant.name}: $it") }
        }
        // The servers are warmed by everyone's first turn, which does not count.
        for (round in 0..plan.rounds) takeTurns(round, plan, contestants, servers, print)
    } finally {
        contestants.forEach { it.close() }
        servers.forEach { it.process.close() }
    }
    return EnginesTable(plan, contestants.map { it.row() }, listOfNotNull(place.doubt))
}

private class Server(val case: ComparedTruth, val process: TruthProcess)

private fun takeTurns(
    round: Int,
    plan: EnginesPlan,
    contestants: List<Contestant>,
    servers: List<Server>,
    print: (String) -> Unit,
) {
    val order = if (round % 2 == 0) contestants else contestants.reversed()
    for (contestant in order.filter { it.broken == null }) {
        print("${contestant.name}: ${if (round == 0) "warming the servers" else "round $round of ${plan.rounds}"}…")
        servers.forEach { contestant.measure(it.case, order(it, plan.slice), counts = round > 0) }
        contestant.broken?.let { print("${contestant.name}: $it") }
    }
}

private fun order(server: Server, window: Duration) = LoadOrder(
    host = "127.0.0.1",
    port = server.process.port,
    steps = listOf(Step("/", path = "/")),
    load = LoadProfile.Closed(server.case.connections),
    settle = SETTLE,
    window = window,
    timeout = 10.seconds,
    drain = 3.seconds,
)
