package bootdyno.launch

import bootdyno.model.Workload
import java.nio.file.Path
import kotlin.time.Duration

/** What a subject needs beside it: a database, or the containers of a compose file. */
interface Dependency {
    /** How it failed, as a sentence; null while it works. */
    fun brokeDown(): String?

    /** The end of its log, at most [n] lines. */
    fun lastLogLines(n: Int = 20): List<String>

    /** [text] without its passwords. */
    fun hide(text: String): String
}

/**
 * A subject with a [dependency]. If that fails, this is reported as the cause of the subject's failure. When closed, the subject's [log]
 * contains no password of it.
 */
class SubjectOnDependency(private val subject: RunningSubject, private val dependency: Dependency, private val log: Path) :
    RunningSubject by subject {
    override fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit): Startup =
        blaming { subject.awaitReady(path, deadline, tell) }

    override fun verify(workload: Workload, timeout: Duration): List<Double> = blaming { subject.verify(workload, timeout) }

    override fun deathReport(): String? = dependency.brokeDown() ?: subject.deathReport()

    override fun lastLogLines(n: Int): List<String> =
        (if (dependency.brokeDown() == null) subject.lastLogLines(n) else dependency.lastLogLines(n)).map(dependency::hide)

    override fun close() {
        subject.close()
        cleanLog(log, dependency::hide)
    }

    private fun <T> blaming(action: () -> T): T = try {
        action()
    } catch (failed: LaunchFailed) {
        val cause = dependency.brokeDown()
        if (cause != null) throw LaunchFailed(failed.stage, cause, dependency.lastLogLines().map(dependency::hide), failed)
        throw LaunchFailed(failed.stage, dependency.hide(failed.reason), failed.lastLines.map(dependency::hide), failed)
    }
}
