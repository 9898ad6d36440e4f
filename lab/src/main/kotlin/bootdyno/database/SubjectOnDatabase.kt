package bootdyno.database

import bootdyno.launch.Awaited
import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.launch.Startup
import bootdyno.launch.cleanLog
import bootdyno.model.Workload
import java.nio.file.Path
import kotlin.time.Duration

/**
 * A subject with a database. If the database fails, that is reported as the cause of the subject's failure. When closed, the subject's [log]
 * contains no password.
 */
class SubjectOnDatabase(private val subject: RunningSubject, private val database: RunDatabase, private val log: Path) :
    RunningSubject by subject {
    override fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit): Startup =
        blaming { subject.awaitReady(path, deadline, tell) }

    override fun verify(workload: Workload, timeout: Duration): Double = blaming { subject.verify(workload, timeout) }

    override fun deathReport(): String? = database.brokeDown() ?: subject.deathReport()

    override fun lastLogLines(n: Int): List<String> =
        if (database.brokeDown() == null) subject.lastLogLines(n).map(database::hide) else database.lastLogLines(n)

    override fun close() {
        subject.close()
        cleanLog(log, database::hide)
    }

    private fun <T> blaming(action: () -> T): T = try {
        action()
    } catch (failed: LaunchFailed) {
        val cause = database.brokeDown()
        if (cause != null) throw LaunchFailed(failed.stage, cause, database.lastLogLines(), failed)
        throw LaunchFailed(failed.stage, database.hide(failed.reason), failed.lastLines.map(database::hide), failed)
    }
}
