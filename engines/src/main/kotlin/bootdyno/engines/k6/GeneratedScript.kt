package bootdyno.engines.k6

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.model.Arrivals
import bootdyno.model.LoadProfile
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject
import java.nio.file.Files
import java.nio.file.Path
import kotlin.math.ceil
import kotlin.math.roundToLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Writes the resource `load.js` and its order into [folder]; returns the script. The request is in a file, because all users of the machine can
 * read command lines.
 * @throws EngineFailed if k6 does not support [order]
 */
internal fun generatedScript(order: LoadOrder, vus: Int?, folder: Path): Path {
    Files.writeString(folder.resolve("order.json"), "${scriptOrder(order, vus)}")
    return Files.writeString(folder.resolve("load.js"), LOAD)
}

internal fun scriptOrder(order: LoadOrder, vus: Int?): JsonObject {
    if (!order.load.isSound) throw EngineFailed("k6 makes no load of nobody: ${order.load}.")
    if (!order.repeatsOneRequest) {
        throw EngineFailed("k6 repeats a single request, and this is a chain: choose another engine, or your own script.")
    }
    val request = order.steps.single()
    return buildJsonObject {
        put("method", request.method)
        put("url", order.base + request.path)
        put("body", request.body)
        putJsonObject("headers") { request.headers.forEach { (name, value) -> put(name, value) } }
        put("timeout", order.timeout.inMillis)
        put("status", request.expect.status)
        put("expectedBody", request.expect.body?.takeUnless { request.method.equals("HEAD", ignoreCase = true) })
        putJsonObject("load") {
            users(order.load, vus)
            // Nothing counts before the first request, which starts a little later.
            put("duration", maxOf(order.settle + order.window + STARTING, LEAST).inMillis)
            // A request ends at its timeout.
            put("gracefulStop", (order.timeout + ENDING).inMillis)
        }
    }
}

private fun JsonObjectBuilder.users(load: LoadProfile, vus: Int?) = when (load) {
    is LoadProfile.Closed -> {
        put("executor", "constant-vus")
        put("vus", load.connections)
    }

    is LoadProfile.Open -> {
        if (load.arrivals == Arrivals.POISSON) throw EngineFailed("k6 sends at equal intervals only: choose another engine.")
        val users = vus ?: usersFor(load.perSecond)
        put("executor", "constant-arrival-rate")
        // Rates are whole numbers.
        put("rate", (load.perSecond * RATE_OF).roundToLong())
        put("timeUnit", "${RATE_OF}s")
        put("preAllocatedVUs", users)
        put("maxVUs", users)
    }

    is LoadProfile.Burst -> throw EngineFailed("k6 makes no bursts here: choose another engine, or a script of your own.")
}

/** Users for the requests of two seconds, from 10 to 1,000. */
internal fun usersFor(perSecond: Double): Int = ceil(2 * perSecond).toInt().coerceIn(10, 1_000)

private val Duration.inMillis: String get() = "${inWholeMilliseconds}ms"

/** Seconds for which a rate is said: it is exact to 0.001/s. */
private const val RATE_OF = 1_000

/** Minimum duration of a scenario of k6. */
private val LEAST = 1.seconds
private val STARTING = 200.milliseconds
private val ENDING = 5.seconds

private val LOAD: String by lazy { checkNotNull(K6Engine::class.java.getResource("load.js")).readText() }
