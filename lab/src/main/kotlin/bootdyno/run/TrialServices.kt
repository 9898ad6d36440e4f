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
import bootdyno.schedule.Timing
import java.nio.file.Path

/**
 * The services of one trial: started before its subject, observed, counted, and stopped after it.
 *
 * Each trial has new ones, so that counts and random delays start again, and no abandoned requests remain. A start takes half a second.
 */
internal class TrialServices(private val parts: TrialParts) : AutoCloseable {
    private val running = mutableListOf<RunningService>()

    val all: List<RunningService> get() = running

    /** Addresses of the services that are ready, by placeholder. */
    val addresses: Map<String, String> get() = running.flatMap { it.found.addresses.entries }.associate { it.key to it.value }

    val found: List<ServiceFound> get() = running.map { it.found }

    /** Starts the services one after the other, because a later one may call an earlier one; logs go to [folder]. Throws [LaunchFailed]. */
    fun start(services: List<Service>, folder: Path, tell: (String, Awaited) -> Unit = { _, _ -> }) =
        services.forEach { service ->
            val started = parts.startService(service, folder.resolve("${service.name}.log"))
            running += started
            started.awaitReady(started.readyWithin ?: Timing.READY_WITHIN) { tell(service.name, it) }
        }

    /** Counts of each service, [at] seconds since the start of the trial; null if it has none. */
    fun counts(at: Double): List<ServedCounts?> = running.map { it.counts(at) }

    /** The services with their counts between [before] and [after], and the engine's counts [engine] of the same time. */
    fun found(before: List<ServedCounts?>, after: List<ServedCounts?>, engine: LoadSecond?): List<ServiceFound> =
        found.mapIndexed { index, service ->
            val first = before[index]
            val last = after[index]
            if (first == null || last == null) return@mapIndexed service
            val sent = engine?.let { it.answered + it.errors + it.inFlight }
            service.copy(window = CallsFound(first, last, engine?.answered, sent))
        }

    /** Fails [stage] if a service has ended. */
    fun checkAlive(stage: Stage) {
        death(stage)?.let { throw it }
    }

    /** How the first ended service ended; null while all run. */
    fun death(stage: Stage): LaunchFailed? = running.firstNotNullOfOrNull { service ->
        service.deathReport()?.let { LaunchFailed(stage, it, service.lastLogLines()) }
    }

    /** In reverse order, because a later service may call earlier ones until its end. */
    override fun close() = running.asReversed().forEach { it.close() }
}
