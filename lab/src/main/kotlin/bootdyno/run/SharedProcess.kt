package bootdyno.run

import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.model.Cell
import bootdyno.model.Stage
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUpFound
import bootdyno.schedule.ProcessToShare
import java.nio.file.Path
import kotlin.time.Duration

/**
 * A subject with its services that serves the trials of [planned] in turn, the first of them with the number [startedBy]. Its output goes to [log], because the folder of a
 * finished trial never changes. Used only by the thread that runs the rounds.
 */
internal class SharedProcess(val planned: ProcessToShare, val startedBy: Int, val log: Path, val services: TrialServices) :
    AutoCloseable {
    private var record: TrialRecord? = null

    /** Null before its start, and when it was stopped. */
    var subject: RunningSubject? = null
        private set

    /** Why its sizes cannot be changed, as a sentence; null if they can, or if it is not known yet. */
    var refusal: String? = null
        private set

    /** The warm-up that it had; null before it is warm. */
    var warmUp: WarmUpFound? = null
        private set

    private var warmedAtLeast = Duration.ZERO
    private var cpusWhenWarm: Double? = null
    private var isClosed = false

    /** [cell] with the values that the process starts with. */
    fun started(cell: Cell): Cell = cell.copy(variant = cell.variant.copy(settings = cell.variant.settings + startValues))

    private val startValues = planned.settings.mapValues { (_, value) -> "$value" }

    /** The record of a trial on [running], this process, with what it has in common with the trial that started it. */
    fun joined(running: RunningSubject, own: TrialRecord): TrialRecord {
        subject = running
        val first = record ?: own.also { record = it }
        return own.copy(
            prepared = first.prepared,
            services = first.services,
            database = first.database,
            dependencies = first.dependencies,
        )
    }

    fun isWarm(atLeast: Duration): Boolean = warmUp != null && warmedAtLeast >= atLeast

    /** [cpus]: its limit from then on. */
    fun warmed(found: WarmUpFound, atLeast: Duration, cpus: Double?) {
        warmUp = found
        warmedAtLeast = atLeast
        cpusWhenWarm = cpus
    }

    /** The sizes that the trials change, by setting. Throws [LaunchFailed] if they are not as this process was started. */
    fun sizes(observation: Observation): Map<String, SettableSize> = planned.settings.mapValues { (key, value) ->
        val size = observation.sizeOf(key) ?: refuse("$key cannot be changed while the application runs.")
        val read = size.read()
        if (read != value) refuse("The application was started with $key=$value, and has ${read ?: "no readable value"}.")
        size
    }

    private fun refuse(reason: String): Nothing {
        if (warmUp == null) refusal = reason
        throw LaunchFailed(Stage.VERIFY, reason)
    }

    /** Puts [sizes] back, so that the next trial finds them as they were at the start; stops the process if that fails. */
    fun putBack(sizes: Map<String, SettableSize>) {
        val isBack = sizes.all { (key, size) -> size.set(planned.settings.getValue(key)) }
        if (!isBack) close()
    }

    /** It serves no further trial if it has ended, or has another CPU limit than after its warm-up, such as after a diagnosis. */
    fun checkAlive() {
        val running = subject ?: return
        if (running.deathReport() != null || running.limits.cpus != cpusWhenWarm) close()
    }

    override fun close() {
        if (isClosed) return
        isClosed = true
        val running = subject
        subject = null
        services.use { running?.close() }
    }
}

/** Sets each of [values], by setting; throws [LaunchFailed] if one that is read back differs. */
internal fun Map<String, SettableSize>.setAll(values: Map<String, Int>) = values.forEach { (key, value) ->
    val size = getValue(key)
    if (!size.set(value)) throw notTaken(key, value, size.read())
}

/** The values now; throws [LaunchFailed] if one is not that of [values]. */
internal fun Map<String, SettableSize>.readBack(values: Map<String, Int>): Map<String, String> =
    values.mapValues { (key, value) ->
        val read = getValue(key).read()
        if (read != value) throw notTaken(key, value, read)
        "$read"
    }

private fun notTaken(key: String, value: Int, read: Int?) =
    LaunchFailed(Stage.WINDOW, "$key was set to $value while the application ran, and was read back as ${read ?: "nothing"}.")
