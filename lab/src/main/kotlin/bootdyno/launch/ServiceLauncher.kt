package bootdyno.launch

import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.Service
import bootdyno.model.Stage
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.Unconfined
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Starts what subjects call, on the CPUs that [placement] gives to services and otherwise without limits: a service that runs out
 * of something would be measured instead of the subject. The next kind of service is one more branch.
 */
class ServiceLauncher(placement: Placement, ledger: Ledger, grace: Duration = 5.seconds) {
    private val processes = SubjectLauncher(Unconfined(), placement.copy(subject = placement.services), ledger, grace)

    /** Starts [service] as a fresh process; what it prints goes to [log]. Throws [LaunchFailed]. */
    fun start(service: Service, log: Path): RunningService = when (service) {
        is Service.Program -> {
            val launchable = Launchable(service.variant, service.subject, NO_LIMITS, isService = true)
            ofService(service.name) { ProgramService(service, processes.start(launchable, log)) }
        }
    }

    private companion object {
        val NO_LIMITS = Limits(cpus = null, memory = null, cpuBy = CpuBy.PINNING)
    }
}

/** A failure of [action] as that of the service [name], in the stage where services start. */
internal fun <T> ofService(name: String, action: () -> T): T = try {
    action()
} catch (failed: LaunchFailed) {
    throw LaunchFailed(Stage.SERVICES, "The service $name is not there: ${failed.reason}", failed.lastLines, failed)
}
