package bootdyno.run

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadMeasured
import bootdyno.launch.LaunchFailed
import bootdyno.system.result
import java.util.concurrent.FutureTask

/** The load of a diagnosis, in a thread of its own, so that it can be stopped when the observation knows enough. */
internal class DiagnosisLoad(private val drive: () -> LoadMeasured) {
    /** [failure]: why it ended too early, null if it did not; [leftAfter]: requests in flight after the drain, null if unknown. */
    data class Ended(val failure: String?, val leftAfter: Long?)

    private val ended = FutureTask {
        try {
            Ended(null, drive().found.leftAfter)
        } catch (failed: LaunchFailed) {
            Ended(failed.reason, null)
        } catch (failed: EngineFailed) {
            Ended(failed.message, null)
        } catch (_: InterruptedException) {
            Ended(null, null)
        }
    }

    private val thread = Thread.ofPlatform().daemon().name("load of the diagnosis").unstarted(ended)

    val goesOn: Boolean get() = !ended.isDone

    fun start() = thread.start()

    /** Runs [action]; an interrupt of the caller also stops the load. */
    fun <T> during(action: () -> T): T = try {
        action()
    } catch (interrupted: InterruptedException) {
        stop()
        throw interrupted
    }

    fun stop() = thread.interrupt()

    /** Throws [InterruptedException], after it has stopped the load, and whatever the load threw besides. */
    fun await(): Ended = during { ended.result() }
}
