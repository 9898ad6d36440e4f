package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.catalogue.SizeSetting
import bootdyno.model.Change
import bootdyno.model.Diagnosis
import bootdyno.model.count
import bootdyno.model.cpusText
import bootdyno.model.size
import bootdyno.occupancy.Resource
import bootdyno.occupancy.knowsSettings
import bootdyno.occupancy.setting
import kotlin.math.roundToInt

/** Databases and peers have limits of their own, which are unknown: their connections are doubled only. */
internal val Resource.isOfPeer get() = kind == ResourceKind.DATABASE_CONNECTIONS || kind == ResourceKind.CLIENT_CONNECTIONS

/** The setting of the size; null without one. An application may have made a pool of another size itself. */
private fun Resource.setting(diagnosis: Diagnosis): SizeSetting? = entry?.setting?.takeIf { setting ->
    val default = setting.fixedDefault
    kind == ResourceKind.REQUEST_THREADS || default == null || !diagnosis.knowsSettings ||
        (diagnosis.setting(setting.key) ?: default) == size
}

/** How to get more units of [resource], by a setting if it is known to have one. */
internal fun moreUnits(observed: Observed, resource: Resource): Advice {
    val size = resource.size
    val entry = resource.entry
    val units = units(observed, resource)
    val instead = units?.let { entry?.instead?.invoke(it) }
    if (instead != null) return Advice(instead, null)
    val change = moreUnitsBySetting(observed, resource)
    val move = observed.moveOf(resource)?.takeIf { it.outcome == MovedOutcome.LIMITS }
    if (change != null && move != null) {
        return Advice(change.words, null, predictionOf(move, change, observed.throughput).takeIf { observed.isPredictable })
    }
    if (change != null) return observed.advice(change, resource, units)
    val setBy = entry?.setBy?.let { " ($it)" }.orEmpty()
    val more = if (size == null) resource.noun else "than ${resource.name}"
    val instruction = when (resource.kind) {
        ResourceKind.EVENT_LOOPS -> "Do not block event loops" + resource.users.firstOrNull()?.at?.let { " ($it)" }.orEmpty() +
            ": enable virtual threads, or block on a scheduler made for it"

        ResourceKind.RATE_LIMITER -> "Raise the rate of the ${resource.name}$setBy"

        ResourceKind.LOCK, ResourceKind.MONITOR -> "Hold the ${resource.name} for a shorter time, or for fewer requests"

        else -> "Allow more $more$setBy, or hold each for a shorter time"
    }
    return Advice(instruction, null)
}

/** The largest value that was tried if the throughput followed; otherwise enough for all in flight, or twice as many. */
private fun units(observed: Observed, resource: Resource): Int? =
    observed.moveOf(resource)?.takeIf { it.outcome == MovedOutcome.LIMITS }?.largest?.roundToInt()
        ?: resource.size?.let { least ->
            observed.inFlight?.roundToInt()?.takeIf { !resource.isOfPeer && it > least } ?: (2 * least)
        }

/** The setting that gives more units of [resource]; null if none is known to. */
internal fun moreUnitsBySetting(observed: Observed, resource: Resource): Change? =
    units(observed, resource)?.takeIf { resource.entry?.instead == null }
        ?.let { resource.setting(observed.diagnosis)?.change(it) }

/** As an instruction without a full stop. */
internal val Change.words: String
    get() = when (this) {
        is Change.Setting -> "Set $key to $value"
        is Change.JvmFlag -> "Start with $flag"
        is Change.EnvironmentVariable -> "Set the environment variable $name to $value"
        is Change.Cpus -> "Use ${cpusText(cpus)}"
        is Change.Memory -> "Use ${size(memory)} of memory"
        is Change.Connections -> "Use ${count(connections)} connections"
    }
