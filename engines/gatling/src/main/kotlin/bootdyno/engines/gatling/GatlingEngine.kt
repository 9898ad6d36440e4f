package bootdyno.engines.gatling

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.ForeignEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import bootdyno.model.LoadProfile
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** All kinds of load. */
val GATLING_KIND = EngineKind(
    "gatling",
    LoadKind.entries.toSet(),
    scripts = setOf(".java", ".jar"),
    options = setOf("heap", "simulation", "connections", "warm"),
    chains = true,
    scriptsBringLoad = true,
)

/**
 * Gatling in a process of its own for each drive: our profiles as a simulation, or the user's own simulation unchanged.
 *
 * What its numbers mean, and what it cannot do:
 * - Response times have a resolution of 1 ms, and the time to connect is in them.
 * - A response time counts from the real send. How late an open profile's send was is not known: no lag is reported, and service is
 *   response.
 * - Closed: each user keeps one connection and sends again when it is answered. Open: users share the connections that are free,
 *   or open one each (`connections: per-user`); the moments of Poisson arrivals are Gatling's own, the order's seed is not used.
 *   Burst: all users start at once, each on a connection of its own.
 * - Redirects, caches and all else a browser would do are switched off. One thing cannot be: a request that finds its kept
 *   connection closed or reset is sent once more on a new one, and only the second try is in the log. The server may have seen
 *   one more.
 * - Gatling is cold when it starts, so it loads a server inside itself first, `warm: 5 s` by default.
 * - A chain is a request for each step, in a loop for each user; values are taken out of answers as everywhere else.
 * - The settling is cut away by the log's timestamps; the window is exact. After it, requests under way are waited for, up to
 *   their timeout, even where that is longer than the drain.
 * - The CPU time is that of Gatling's process in the window.
 *
 * With the user's own simulation (`script`) everything is the user's: load, requests, checks, length. The window is the whole
 * run. Where the subject is comes as the system properties `baseUrl`, `dyno.host` and `dyno.port` and in the environment as
 * `BASE_URL`, `DYNO_HOST` and `DYNO_PORT`; a simulation that names another address in its code loads that address. Requests that
 * Gatling itself breaks off at the end, by `maxDuration`, are in no log and so in no class.
 */
class GatlingEngine private constructor(
    context: EngineContext,
    private val options: GatlingOptions,
    private val install: GatlingInstall,
) : ForeignEngine(GATLING_KIND, context) {
    private val own = options.script == null

    override fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        if (order.isEmpty) throw EngineFailed("Gatling makes no load of nobody: ${order.load}.")
        val run = GatlingRun(gated = own, scenario = if (own) LOAD_SCENARIO else null)
        val longest = if (own) order.longest + TO_STOP else Duration.INFINITE
        val ended = running({ install.start(context, order, folder, run::takeLine) }) { process ->
            run.follow(process, longest) { at, summary -> onSecond(second(order, at, summary)) }
        }
        return GatlingOutcome(order, options, ended, folder, context).measured()
    }

    override fun close() {
        super.close()
        install.close()
    }

    private fun second(order: LoadOrder, at: Duration, summary: Summary): LoadSecond {
        val inWindow = !own || (at >= order.settled && at <= order.settled + order.window)
        return LoadSecond(at.toDouble(DurationUnit.SECONDS), inWindow, summary.good, summary.bad, summary.active, null)
    }

    private val LoadOrder.isEmpty: Boolean
        get() = when (val load = load) {
            is LoadProfile.Closed -> load.connections < 1
            is LoadProfile.Open -> load.perSecond <= 0
            is LoadProfile.Burst -> load.users < 1 || load.requestsEach < 1
        }

    companion object {
        /** A million requests are written before the process ends. */
        private val TO_STOP = 30.seconds

        /** @throws EngineFailed when the spec is not sound, Gatling cannot be fetched, or a simulation does not compile. */
        fun start(context: EngineContext, spec: EngineSpec, tell: (String) -> Unit = System.err::println): GatlingEngine {
            val options = gatlingOptions(spec)
            val home = GatlingHome.inside(context.cache, tell)
            return GatlingEngine(context, options, GatlingInstall.open(home, options, context.temporary))
        }
    }
}

/** The scenario of our own simulation whose users count. */
internal const val LOAD_SCENARIO = "load"
