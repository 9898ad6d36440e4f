package bootdyno.engines.gatling

import bootdyno.engine.DataRows
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.model.Arrivals
import bootdyno.model.LoadProfile
import java.nio.file.Files
import java.nio.file.Path
import java.util.Properties
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Writes [this] for our own simulation to read; times are milliseconds. */
internal fun LoadOrder.write(file: Path, options: GatlingOptions) {
    val told = Properties()
    told += profile()
    told += mapOf(
        "shared" to (options.shared && load is LoadProfile.Open).toString(),
        "base" to base,
        "timeout" to timeout.millis(),
        "settle" to settled.millis(),
        "length" to (settled + window).millis(),
        "limit" to (options.warm + longest).millis(),
        "warm" to options.warm.millis(),
        "warmUsers" to MOST_WARM_USERS.coerceAtMost((load as? LoadProfile.Closed)?.connections ?: MOST_WARM_USERS).toString(),
    )
    val chain = file.resolveSibling("chain.json")
    ChainScript.write(this, chain)
    told["chain"] = chain.toString()
    Files.newBufferedWriter(file).use { told.store(it, null) }
}

/** Where the subject is, without a path. */
internal val LoadOrder.base: String get() = "http://${if (':' in host) "[$host]" else host}:$port"

/** A burst has no settling: its window opens with its first send. */
internal val LoadOrder.settled: Duration get() = if (load is LoadProfile.Burst) Duration.ZERO else settle

/** From the first request on, a run of ours is over by then: each request under way when nobody asks any more ends by its timeout. */
internal val LoadOrder.longest: Duration get() = settled + window + maxOf(timeout, drain) + 10.seconds

/** What is impossible is said before a process is started for it. */
internal fun LoadOrder.refuseImpossible() {
    val why = when (val profile = load) {
        is LoadProfile.Closed -> "${profile.connections} connections".takeIf { profile.connections < 1 }

        is LoadProfile.Open -> "${profile.perSecond} requests a second".takeIf { profile.perSecond <= 0 }

        is LoadProfile.Burst -> "${profile.users} users × ${profile.requestsEach}".takeIf {
            profile.users < 1 ||
                profile.requestsEach < 1
        }
    } ?: "a window of $window".takeIf { !window.isPositive() }
    if (why != null) throw EngineFailed("gatling cannot ask with $why")
    try {
        DataRows().of(this)
    } catch (unreadable: IllegalArgumentException) {
        throw EngineFailed(unreadable.message.orEmpty())
    }
}

private fun LoadOrder.profile(): Map<String, String> = when (val profile = load) {
    is LoadProfile.Closed -> mapOf("profile" to "closed", "users" to profile.connections.toString())

    is LoadProfile.Open -> mapOf(
        "profile" to if (profile.arrivals == Arrivals.POISSON) "poisson" else "open",
        "perSecond" to profile.perSecond.toString(),
        "requestsEach" to "1",
    )

    is LoadProfile.Burst -> mapOf(
        "profile" to "burst",
        "users" to profile.users.toString(),
        "requestsEach" to profile.requestsEach.toString(),
    )
}

private fun Duration.millis() = inWholeMilliseconds.toString()

private const val MOST_WARM_USERS = 50
