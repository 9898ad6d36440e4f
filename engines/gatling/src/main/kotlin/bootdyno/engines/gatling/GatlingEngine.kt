package bootdyno.engines.gatling

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import bootdyno.system.pinned
import bootdyno.system.tryDeleteTree
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/**
 * Gatling, the real one, in a process of its own for each drive: our profiles as a simulation, or the user's own simulation
 * unchanged.
 *
 * What its numbers mean, and what it cannot do:
 * - Response times have a resolution of 1 ms ([Capabilities.resolution]), and the time to connect is in them.
 * - A response time counts from the real send. How late an open profile's send was is not known: no lag is told, and service is
 *   response.
 * - Closed: each user keeps one connection and asks again when it is answered. Open: users share the connections that are free,
 *   or open one each (`connections: per-user`); the moments of Poisson arrivals are Gatling's own, the order's seed is not used.
 *   Burst: all users start at once, each on a connection of its own.
 * - Redirects, caches and all else a browser would do are switched off. One thing cannot be: a request that finds its kept
 *   connection closed or reset is sent once more on a new one, and only the second try is in the log. The server may have seen
 *   one more.
 * - Gatling is cold when it starts, so it asks a server inside itself first, `warm: 5 s` by default.
 * - A chain is a request for each step, in a loop for each user; values are taken out of answers as everywhere else.
 * - The settling is cut away by the log's timestamps; the window is exact. After it, requests under way are waited for, up to
 *   their timeout, even where that is longer than the drain.
 * - The CPU time is that of Gatling's process in the window.
 *
 * With the user's own simulation (`script`) everything is the user's: load, requests, checks, length. The window is the whole
 * run. Where the subject is comes as the system properties `baseUrl`, `dyno.host` and `dyno.port` and in the environment as
 * `BASE_URL`, `DYNO_HOST` and `DYNO_PORT`; a simulation that names another address in its code asks that address. Requests that
 * Gatling itself breaks off at the end, by `maxDuration`, are in no log and so in no class.
 */
class GatlingEngine private constructor(
    private val context: EngineContext,
    private val options: GatlingOptions,
    private val install: GatlingInstall,
) : LoadEngine {
    override val kind = GATLING_KIND

    @Volatile
    private var run: GatlingRun? = null
    override val pid: Long? get() = run?.pid

    override fun cpuSeconds(): Double? = run?.cpuSeconds()

    /** Nothing to do: each drive is a new process, which warms itself. */
    override fun warmItself() = Unit

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        order.refuseImpossible()
        val folder = Files.createTempDirectory(context.temporary, "gatling-")
        try {
            val ended = run(order, folder, onSecond)
            return GatlingOutcome(order, options, ended, folder, context).measured()
        } finally {
            tryDeleteTree(folder)
        }
    }

    private fun run(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): GatlingEnded {
        val own = options.script == null
        val scenario = if (own) LOAD_SCENARIO else null
        val command = pinned(install.command(order, folder), context.cpus)
        GatlingRun.start(command, install.folder ?: folder, install.environment(order), context.log, scenario).use {
            run = it
            context.started(it.pid)
            try {
                return it.follow(
                    gated = own,
                    if (own) order.longest + TO_STOP else Duration.INFINITE,
                    listener = Seconds(order, own, onSecond),
                )
            } finally {
                run = null
            }
        }
    }

    override fun close() {
        run?.close()
        install.close()
    }

    private class Seconds(private val order: LoadOrder, private val own: Boolean, private val onSecond: (LoadSecond) -> Unit) :
        GatlingListener {
        override fun began() = onSecond(LoadSecond(0.0, inWindow(Duration.ZERO), 0, 0, 0, null))

        override fun told(at: Duration, summary: Summary) =
            onSecond(LoadSecond(at.toDouble(DurationUnit.SECONDS), inWindow(at), summary.good, summary.bad, summary.active, null))

        private fun inWindow(at: Duration) = !own || (at >= order.settled && at <= order.settled + order.window)
    }

    companion object {
        /** A million requests are written before the process ends. */
        private val TO_STOP = 30.seconds

        /** @throws EngineFailed when the spec is not sound, Gatling cannot be fetched, or a simulation does not compile. */
        fun start(context: EngineContext, spec: EngineSpec, tell: (String) -> Unit = System.err::println): GatlingEngine {
            val options = gatlingOptions(spec)
            return GatlingEngine(
                context,
                options,
                GatlingInstall.open(GatlingHome.inside(context.cache, tell), options, context.temporary),
            )
        }
    }
}

/** What it can: all kinds of load. */
val GATLING_KIND = EngineKind(
    "gatling",
    LoadKind.entries.toSet(),
    scripts = setOf(".java", ".jar"),
    options = setOf("heap", "simulation", "connections", "warm"),
    chains = true,
    scriptsBringLoad = true,
)

/** The scenario of our own simulation whose users count. */
internal const val LOAD_SCENARIO = "load"
