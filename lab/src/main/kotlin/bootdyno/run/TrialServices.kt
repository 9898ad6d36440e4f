package bootdyno.run

import bootdyno.engine.LoadSecond
import bootdyno.launch.Awaited
import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningService
import bootdyno.model.CallsFound
import bootdyno.model.ServedCounts
import bootdyno.model.Service
import bootdyno.model.ServiceFound
import bootdyno.model.Stage
import bootdyno.plan.Timing
import java.nio.file.Path

/**
 * The services of one trial: started before its subject, watched, counted, and stopped after it.
 *
 * They are fresh for each trial, as the subject is: their counts and their random waits begin anew, and nothing that an earlier
 * trial abandoned is left in them. A start takes half a second.
 */
internal class TrialServices(private val launch: (Service, Path) -> RunningService) : AutoCloseable {
    private val running = mutableListOf<RunningService>()

    val all: List<RunningService> get() = running

    /** What stands for the addresses of those that are ready. */
    val addresses: Map<String, String> get() = running.flatMap { it.found.addresses.entries }.associate { it.key to it.value }

    val found: List<ServiceFound> get() = running.map { it.found }

    /** One after the other, since a later one may call an earlier one; each logs into [folder]. Throws [LaunchFailed]. */
    fun start(services: List<Service>, folder: Path, tell: (String, Awaited) -> Unit = { _, _ -> }) =
        services.forEach { service ->
            val started = launch(service, folder.resolve("${service.name}.log"))
            running += started
            started.awaitReady(started.readyWithin ?: Timing.READY_WITHIN) { tell(service.name, it) }
        }

    /** What each counts, [at] seconds since the trial began; null where one does not. */
    fun counts(at: Double): List<ServedCounts?> = running.map { it.counts(at) }

    /** What is [found], with what passed between [before] and [after] while the engine came as far as [engine]. */
    fun found(before: List<ServedCounts?>, after: List<ServedCounts?>, engine: LoadSecond?): List<ServiceFound> =
        found.mapIndexed { index, service ->
            val first = before[index]
            val last = after[index]
            if (first == null || last == null) return@mapIndexed service
            val sent = engine?.let { it.answered + it.errors + it.inFlight }
            service.copy(window = CallsFound(first, last, engine?.answered, sent))
        }

    /** Fails [stage] when one of them is dead. */
    fun checkAlive(stage: Stage) {
        death(stage)?.let { throw it }
    }

    /** How the first one that is dead ended; null while all live. */
    fun death(stage: Stage): LaunchFailed? = running.firstNotNullOfOrNull { service ->
        service.deathReport()?.let { LaunchFailed(stage, it, service.lastLogLines()) }
    }

    /** The last one first: it may call the others until its end. */
    override fun close() = running.asReversed().forEach { it.close() }
}
