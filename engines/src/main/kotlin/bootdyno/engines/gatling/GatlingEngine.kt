package bootdyno.engines.gatling

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.ForeignEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.model.EngineSpec
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/**
 * Gatling, with a new process for each drive: our profiles as a simulation, or the user's simulation unchanged.
 *
 * Meaning and limits of its numbers:
 * - Response times have a resolution of 1 ms, and include the connect time.
 * - Response times count from the actual send. The lag of an open profile is unknown and not reported; service time equals response time.
 * - Closed load: each user keeps one connection. Open load: users share free connections, or open one each (`connections: per-user`);
 *   Poisson arrivals are Gatling's own and ignore the order's seed. Burst: all users start at once, each with its own connection.
 * - Redirects, caches and other browser features are off. Exception: a request that finds its connection closed or reset is sent again on a
 *   new one, and only the second try is logged. The server may have received both.
 * - Gatling starts cold, so it first loads a server in its own process, `warm: 5 s` by default.
 * - A chain is a loop with one request per step for each user; values are captured as usual.
 * - The settling is excluded by timestamps of the log; the window is exact. Afterwards requests in flight are awaited up to their timeout, even
 *   if that is longer than the drain.
 * - CPU time is that of Gatling's process in the window.
 *
 * A user's simulation (`script`) defines everything: load, requests, checks, duration. The window is the complete run. The subject's
 * address is in the system properties `baseUrl`, `BASE_URL`, `dyno.host` and `dyno.port`, and in the environment variables `BASE_URL`,
 * `DYNO_HOST` and `DYNO_PORT`; with the path of the simulation's own default. An address of this machine in a source file leads to the
 * subject, whatever its port; any other address is loaded itself.
 * Requests that `maxDuration` aborts are not logged, and so not counted.
 */
class GatlingEngine private constructor(
    context: EngineContext,
    private val options: GatlingOptions,
    private val install: GatlingInstall,
) : ForeignEngine(GATLING_KIND, context) {
    private val isOurs = options.script == null

    override fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        if (!order.load.isSound) throw EngineFailed("Gatling makes no load of nobody: ${order.load}.")
        val run = GatlingRun(gated = isOurs, scenario = if (isOurs) LOAD_SCENARIO else null)
        val longest = if (isOurs) order.longest + TO_STOP else Duration.INFINITE
        val ended = running({ install.start(context, order, folder, run::takeLine) }) { process ->
            run.follow(process, longest) { at, summary -> onSecond(second(order, at, summary)) }
        }
        return GatlingOutcome(order, install.user, ended, folder, context).measured()
    }

    override fun close() {
        super.close()
        install.close()
    }

    private fun second(order: LoadOrder, at: Duration, summary: Summary): LoadSecond {
        val inWindow = !isOurs || (at >= order.settle && at <= order.settle + order.window)
        return LoadSecond(at.toDouble(DurationUnit.SECONDS), inWindow, summary.good, summary.bad, summary.active, null)
    }

    companion object {
        /** Gatling writes a log of a million requests before it exits. */
        private val TO_STOP = 30.seconds

        /** @throws EngineFailed for an invalid spec, a failed download, or a simulation that does not compile */
        fun start(context: EngineContext, spec: EngineSpec, tell: (String) -> Unit = System.err::println): GatlingEngine {
            val options = gatlingOptions(spec)
            val home = GatlingHome.inside(context.cache, tell)
            return GatlingEngine(context, options, GatlingInstall.open(home, options, context.temporary))
        }
    }
}

/** The scenario of our own simulation that is counted. */
internal const val LOAD_SCENARIO = "load"
