package bootdyno.engines.k6

import bootdyno.engine.EngineContext
import bootdyno.engine.ForeignEngine
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.addressesIn
import bootdyno.engine.codeOf
import bootdyno.engine.pathOfDefault
import bootdyno.model.EngineSpec
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.nio.file.Path
import kotlin.io.path.writeText

/**
 * k6 as the system has it, with a new process for each drive: our profiles as a generated script, or the user's script unchanged.
 *
 * Meaning and limits of its numbers:
 * - They are read from each sample of k6's own CSV output, which must have as many requests as k6's summary. Times have a resolution of 1 µs. Response time includes the wait for a connection
 *   and its opening (`http_req_blocked` + `http_req_duration`); service time excludes its opening.
 * - Response times count from the actual send. The lag of an open profile is unknown and not reported.
 * - Closed load: each user keeps one connection, and sends again at once, also after a refused one. Open load: users take turns at equal
 *   intervals. A request that finds no free user is not sent; it counts as [bootdyno.model.ErrorCause.CLIENT], and as due.
 * - Go sends a request again if its kept connection turns out to be closed, and k6 sees the second try only.
 * - Bodies are compared by the script, which can only count those that are wrong: their latencies are among those of the others.
 * - HTTP/1.1 only. Redirects are not followed. Any certificate is accepted.
 * - The settling is excluded by timestamps; the window is exact. Afterwards requests in flight are awaited up to their timeout.
 * - CPU time is that of k6's process in the window.
 *
 * A user's script defines everything: load, requests, checks, duration. The window is the complete run, from the start of the first request
 * of its scenarios to the end of the last. The subject's address is in `__ENV.BASE_URL`, with the path of the script's own default,
 * `__ENV.DYNO_HOST` and `__ENV.DYNO_PORT`. An address of this machine in its code leads to the subject, whatever its port, and so
 * does a name without a domain, as containers have, or `host.docker.internal`; a script with another address loads that. Requests that k6
 * interrupts at the end of a script are not in its output, and so not counted.
 */
class K6Engine private constructor(private val program: K6Program, private val options: K6Options, context: EngineContext) :
    ForeignEngine(K6_KIND, context) {
    private val code = options.script?.let(::codeOf).orEmpty()
    private val local = localAddresses(code)

    override fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        val results = folder.resolve("results.csv")
        val summary = folder.resolve("summary.json")
        val script = options.script ?: generatedScript(order, options.vus, folder)
        val run = K6Run(order, own = options.script == null, results, summary, context, local, onSecond)
        val command = listOf("${program.path}", "run", "--quiet", "--no-color", "--address=") +
            listOf("--out", "csv=$results", "--summary-export=$summary") +
            listOfNotNull("--insecure-skip-tls-verify".takeIf { order.https }, localHosts(order, folder)) + "$script"
        context.note(command.joinToString(" "))
        // A user's script may read files beside it.
        val start = { GeneratorProcess.start(context, command, script.parent, environment(order), isLogged = run::takeLine) }
        return running(start) { run.measure("k6 ${program.version}", it) }
    }

    /** The option by which local addresses in a user's script lead to the subject, if that has an address in numbers. */
    private fun localHosts(order: LoadOrder, folder: Path): String? {
        val host = if (order.host == "localhost") "127.0.0.1" else order.host
        if (options.script == null || host.any { it !in "0123456789." }) return null
        val names = listOf("localhost", "127.0.0.1", "host.docker.internal") + local.map { it.substringBefore(':') }
        val hosts = names.associateWith { JsonPrimitive("$host:${order.port}") }
        return "--config=" +
            folder.resolve("config.json").also { it.writeText("${JsonObject(mapOf("hosts" to JsonObject(hosts)))}") }
    }

    private fun environment(order: LoadOrder): Map<String, String> = mapOf(
        "K6_NO_USAGE_REPORT" to "true",
        "K6_CSV_TIME_FORMAT" to "unix_micro",
        "K6_CSV_SAVE_INTERVAL" to "200ms",
        // k6 reads this one itself: otherwise it would negotiate HTTP/2 over TLS.
        "GODEBUG" to "http2client=0",
    ) + order.variables(pathOfDefault(code)) + options.environment

    companion object {
        /** @throws bootdyno.engine.EngineFailed if k6 is missing or too old, or [spec] has an unknown option or an unreadable script */
        fun start(context: EngineContext, spec: EngineSpec): K6Engine {
            val options = k6Options(spec)
            return K6Engine(k6Program(), options, context)
        }
    }
}

/** The addresses of [script] whose host is this machine, or has no domain: `app:8080` of `http://app:8080/a`. */
internal fun localAddresses(script: String): Set<String> = addressesIn(script, LOCAL_ADDRESS)

internal const val LOCAL_HOST = """[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?|127\.0\.0\.1|host\.docker\.internal"""
private val LOCAL_ADDRESS = Regex("""["'`]https?://((?:$LOCAL_HOST)(?::\d{1,5})?)(?=[:/"'`?])""")
