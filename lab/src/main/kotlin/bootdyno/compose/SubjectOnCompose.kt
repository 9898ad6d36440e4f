package bootdyno.compose

import bootdyno.launch.Awaited
import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.launch.Startup
import bootdyno.launch.cleanLog
import bootdyno.model.Workload
import java.nio.file.Path
import kotlin.time.Duration

/**
 * A subject with containers of a compose file. If one of them ends, that is reported as the cause of the subject's failure. When closed, the
 * subject's [log] contains none of their passwords.
 */
class SubjectOnCompose(private val subject: RunningSubject, private val compose: ComposeProject, private val log: Path) :
    RunningSubject by subject {
    override fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit): Startup =
        blaming { subject.awaitReady(path, deadline, tell) }

    override fun verify(workload: Workload, timeout: Duration): Double = blaming { subject.verify(workload, timeout) }

    override fun deathReport(): String? = compose.brokeDown() ?: subject.deathReport()

    override fun lastLogLines(n: Int): List<String> =
        (if (compose.brokeDown() == null) subject.lastLogLines(n) else compose.lastLogLines(n)).map(compose::hide)

    override fun close() {
        subject.close()
        cleanLog(log, compose::hide)
    }

    private fun <T> blaming(action: () -> T): T = try {
        action()
    } catch (failed: LaunchFailed) {
        val cause = compose.brokeDown()
        if (cause != null) throw LaunchFailed(failed.stage, cause, compose.lastLogLines().map(compose::hide), failed)
        throw LaunchFailed(failed.stage, compose.hide(failed.reason), failed.lastLines.map(compose::hide), failed)
    }
}
