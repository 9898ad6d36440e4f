package bootdyno.launch

import bootdyno.model.CsvRead
import bootdyno.model.DataFile
import bootdyno.model.DataTable
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.Workload
import bootdyno.model.readCsv
import bootdyno.process.waitUntil
import java.io.IOException
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** What is asked of a subject before it is measured. [death] tells how it died, null while it lives. */
internal class Answers(private val base: URI, private val lastLines: () -> List<String>, private val death: () -> String?) :
    AutoCloseable {
    private val lazyQuestioner = lazy { Questioner(base) }
    val questioner: Questioner by lazyQuestioner

    /** Asks with [status] until it is in the 200s. */
    fun awaitGood(path: String, deadline: Duration, every: Duration, status: (Duration) -> Int) {
        val start = TimeSource.Monotonic.markNow()
        var last: String
        while (true) {
            death()?.let { throw failed(Stage.READY, "$it It had not yet answered GET $path.") }
            val left = deadline - start.elapsedNow()
            last = try {
                val code = status(left.coerceIn(0.1.seconds, 10.seconds))
                if (code in 200..299) return
                "the last answer was $code"
            } catch (none: IOException) {
                "there was no answer (${none.message ?: none.javaClass.simpleName})"
            } catch (wrong: IllegalArgumentException) {
                throw failed(Stage.READY, "'$path' cannot be asked for: ${wrong.message}.")
            }
            if (start.elapsedNow() >= deadline) throw failed(Stage.READY, "No good answer to GET $path within $deadline: $last.")
            LockSupport.parkNanos(every.inWholeNanoseconds)
            if (Thread.interrupted()) throw InterruptedException("interrupted while waiting for a subject")
        }
    }

    /** See [RunningSubject.verify]. Each time through a chain takes the next row of its data. */
    fun verify(workload: Workload, timeout: Duration): Double {
        val rows = workload.data?.let(::rowsOf)
        // What a request holds need not be found out where it is known, and may be seconds: one is enough to see a right answer.
        val seconds = List(if (workload.holds == null) 4 else 1) { turn ->
            once(workload, rows?.let { it.columns.zip(it.row(turn.toLong())).toMap() }.orEmpty(), timeout)
        }
        return seconds.drop(1).minOrNull() ?: seconds.single()
    }

    private fun rowsOf(data: DataFile): DataTable {
        val text = try {
            Files.readString(Path.of(data.path))
        } catch (gone: IOException) {
            throw failed(
                Stage.VERIFY,
                "The data file ${data.path} cannot be read (${gone.message ?: gone.javaClass.simpleName}).",
            )
        }
        return when (val read = readCsv(text)) {
            is CsvRead.Sound -> read.table
            is CsvRead.Unsound -> throw failed(Stage.VERIFY, "Line ${read.line} of the data file ${data.path} ${read.reason}.")
        }
    }

    /** All requests in order; the mean of their seconds. */
    private fun once(workload: Workload, row: Map<String, String>, timeout: Duration): Double {
        val values = row.toMutableMap()
        return workload.requests().map { step ->
            val request = step.filled(values)
            val asked = (if (workload.isChain) "${step.name}: " else "") + "${request.method} ${request.path}"
            val answer = answerTo(request, asked, timeout)
            mismatch(request.expect, answer)?.let { throw failed(Stage.VERIFY, "$asked answered wrongly: $it.") }
            values += try {
                captured(request, answer)
            } catch (missing: NotCaptured) {
                throw failed(Stage.VERIFY, "$asked answered wrongly: ${missing.message}.")
            }
            answer.seconds
        }.average()
    }

    private fun answerTo(request: Step, asked: String, timeout: Duration): Answer = try {
        questioner.ask(request, timeout)
    } catch (none: IOException) {
        val why = none.message ?: none.javaClass.simpleName
        // A dying subject closes its connections before it is dead.
        waitUntil(0.3.seconds) { death() != null }
        throw failed(Stage.VERIFY, "$asked got no answer within $timeout ($why). ${death().orEmpty()}".trim())
    } catch (wrong: IllegalArgumentException) {
        throw failed(Stage.VERIFY, "$asked cannot be asked for: ${wrong.message}.")
    }

    private fun failed(stage: Stage, reason: String) = LaunchFailed(stage, reason, lastLines())

    override fun close() {
        if (lazyQuestioner.isInitialized()) questioner.close()
    }
}
