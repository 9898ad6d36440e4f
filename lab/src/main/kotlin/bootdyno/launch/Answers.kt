package bootdyno.launch

import bootdyno.launch.http.Answer
import bootdyno.launch.http.VerificationClient
import bootdyno.launch.http.without
import bootdyno.model.BrokenCsv
import bootdyno.model.DataFile
import bootdyno.model.DataTable
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.Workload
import bootdyno.model.placeholders
import bootdyno.model.readCsv
import bootdyno.model.secretsIn
import bootdyno.system.nullOn
import bootdyno.system.socket.OwnPorts
import bootdyno.system.waitUntil
import java.io.IOException
import java.net.URI
import java.net.URLDecoder
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * What the checks need of a subject. [death]: how it ended, null while it runs. [ports]: null if unknown. [startLog]: its log of the start, to
 * find the reason of a failure; [words]: its command line. [moved] is told the address of a subject that listens on one of its own.
 */
internal class CheckedSubject(
    client: VerificationClient,
    val lastLines: () -> List<String>,
    val death: () -> String?,
    val ports: OwnPorts? = null,
    val startLog: () -> List<String> = lastLines,
    val words: List<String> = emptyList(),
    private val moved: (URI) -> Unit = {},
) {
    var client: VerificationClient = client
        private set

    fun moveTo(base: URI) {
        client.close()
        client = client.at(base)
        moved(base)
    }
}

/** The requests to a subject before its measurement. */
internal class Answers(private val subject: CheckedSubject) : AutoCloseable {
    private val secrets = mutableSetOf<String>()

    /** Repeats requests with pauses of [every] until [readiness] is met; returns the result of [then] at that moment. Throws [LaunchFailed]. */
    fun <T> awaitReady(readiness: Readiness, every: Duration, tell: (Awaited) -> Unit, then: () -> T): T =
        AwaitReady(readiness, every, subject, tell, then).await()

    /** See [RunningSubject.verify]. Each repetition takes the next row of the data. */
    fun verify(workload: Workload, timeout: Duration): List<Double> {
        val rows = workload.data?.let(::rowsOf)
        fun row(number: Int) = rows?.let { it.columns.zip(it.row(number.toLong())).toMap() }.orEmpty()
        val user = loggedIn(workload, row(0), timeout)
        // A declared holding time, which may be seconds, need not be measured: one request is enough.
        val seconds = List(if (workload.holds == null) 4 else 1) { turn -> once(workload, row(turn) + user, timeout) }
        return seconds.drop(1).ifEmpty { seconds }
    }

    private fun rowsOf(data: DataFile): DataTable = try {
        readCsv(Files.readString(Path.of(data.path)))
    } catch (gone: IOException) {
        throw failed("The data file ${data.path} cannot be read (${gone.message ?: gone.javaClass.simpleName}).")
    } catch (broken: BrokenCsv) {
        throw failed("${broken.inFile("the data file ${data.path}").replaceFirstChar { it.uppercase() }}.")
    }

    /** Logs a user in, if the workload says how; returns what it captured, and its [row] if the login uses it. */
    private fun loggedIn(workload: Workload, row: Map<String, String>, timeout: Duration): Map<String, String> {
        subject.client.beginAsUser(workload.cookies)
        val login = workload.loginRequests()
        val takesRow = login.flatMap { it.texts }.flatMap(::placeholders).any { it in row }
        val whose = if (takesRow) " The user is in row 1 of ${workload.data?.path}." else ""
        val values = row.toMutableMap()
        login.forEach { step ->
            val request = step.filled(values)
            val asked = "login ${step.name}: ${request.method} ${request.path}"
            val answer = answerTo(request, asked, timeout)
            fun wrong(why: String): Nothing = throw failed("$asked answered wrongly: $why.$whose")
            loginMismatch(request, answer, login)?.let(::wrong)
            values += captured(request, answer, ::wrong).also { secrets += it.values.filter(::isLongEnough) }
        }
        return if (takesRow) values else values - row.keys
    }

    /** Sends all requests in order; returns their mean duration in seconds, by their weights. */
    private fun once(workload: Workload, row: Map<String, String>, timeout: Duration): Double {
        val values = row.toMutableMap()
        val steps = workload.requests()
        val isUser = workload.login.isNotEmpty()
        val seconds = steps.map { step ->
            val request = step.filled(values)
            val asked = (if (workload.steps.size > 1) "${step.name}: " else "") + "${request.method} ${request.path}"
            val answer = answerTo(request, asked, timeout)
            fun wrong(why: String): Nothing =
                throw failed(listOfNotNull("$asked answered wrongly: $why.", adviceOn(request, answer, isUser)).joinToString(" "))
            mismatch(request.expect, answer)?.let(::wrong)
            values += captured(request, answer, ::wrong)
            answer.seconds
        }
        return steps.zip(seconds) { step, taken -> step.weight * taken }.sum() / steps.sumOf { it.weight }
    }

    private fun answerTo(request: Step, asked: String, timeout: Duration): Answer = try {
        secrets += secretsOf(request)
        subject.client.ask(request, timeout).copy(secrets = secrets)
    } catch (none: IOException) {
        val why = none.message ?: none.javaClass.simpleName
        // A subject closes its connections shortly before it has ended.
        waitUntil(0.3.seconds) { subject.death() != null }
        throw failed("$asked got no whole answer: $why. ${subject.death().orEmpty()}".trim())
    } catch (wrong: IllegalArgumentException) {
        throw failed("$asked cannot be asked for: ${wrong.message}.")
    }

    private fun failed(reason: String) = LaunchFailed(Stage.VERIFY, reason, subject.lastLines().map { it.without(secrets) })

    override fun close() = subject.client.close()
}

/** The secrets of [request], as it sends them and decoded. */
private fun secretsOf(request: Step): Set<String> {
    val texts =
        listOf(request.path, request.body.orEmpty().take(LONGEST_LOGIN)) +
            request.headers.map { (name, value) -> "$name: $value" }
    val sent = texts.flatMap(::secretsIn)
    return (sent + sent.mapNotNull(::percentDecoded)).filter(::isLongEnough).toSet()
}

private fun percentDecoded(text: String): String? =
    nullOn(IllegalArgumentException::class) { URLDecoder.decode(text, Charsets.UTF_8) }

/** Characters of a body. A longer one is data. */
private const val LONGEST_LOGIN = 65_536

/** A shorter one is part of other words. */
private fun isLongEnough(secret: String) = secret.length > 2
