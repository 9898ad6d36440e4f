package bootdyno.analyse

import bootdyno.analyse.Threat.Kind
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.WindowReadings
import bootdyno.model.hasCpuToSpare

/** A thread waits at most this long for a CPU that another one uses: a time slice of Linux. */
internal const val SLICE_MILLIS = 3.0

/** More can hardly be taken away: the rest is what the kernel leaves to each. */
const val MOST_TAKEN: Double = 0.9

/**
 * Whether a disturbance of [kind] may have changed the figure of this trial by more than what `matters`. Others take the share f of the CPUs. A
 * request of CPU time c takes longer by c · f / (1 − f), and waits for a time slice with the probability f. Under closed load of N connections, Little's law gives c / R = CPUs used / N, so no throughput is needed. Where the application without its compiler has
 * no CPU to spare, and under other loads, any disturbance counts.
 */
internal fun MeasuredTrial.mayBeChangedBy(kind: Kind): Boolean {
    val load = cell.profile.loadInWindow as? LoadProfile.Closed
    val used = resources[Measure.CPU]
    val millis = latency[Measure.P50]?.value
    if (kind == Kind.CLOCK || load == null || used == null || millis == null || !hasCpuToSpare(applicationShare())) return true
    val taken = window?.cpusTaken() ?: 0.0
    val cpus = (used / (cpuShare() ?: return true)).coerceAtLeast(Double.MIN_VALUE)
    val share = (taken / cpus).coerceAtMost(MOST_TAKEN)
    val longer = used / load.connections * share / (1 - share) + SLICE_MILLIS * share / millis
    return longer > matters
}

/** CPUs that processes besides the subject, its services and the load generator used; null if unknown. */
internal fun WindowReadings.foreignCpu(): Double? {
    val subject = summary(Metric.CPU) ?: return null
    val engine = summary(Metric.ENGINE_CPU) ?: return null
    return summary(Metric.MACHINE_CPU)?.let { it - subject - engine - (summary(Metric.SERVICES_CPU) ?: 0.0) }
}

/** CPUs that other processes used and that the hypervisor took away, as far as they are known. */
fun WindowReadings.cpusTaken(): Double = (foreignCpu() ?: 0.0).coerceAtLeast(0.0) + (summary(Metric.STEAL) ?: 0.0)
