package bootdyno.engines.wrk

import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import kotlin.time.DurationUnit

/** Seconds of a drive, from what the kernel counts. */
internal class WrkProgress(private val order: LoadOrder, private val call: WrkCall, private val onSecond: (LoadSecond) -> Unit) {
    private val settle = order.settle.toDouble(DurationUnit.SECONDS)

    fun begins() = tell(settle, 0, 0)

    fun at(run: WrkRun) {
        val written = run.written() ?: return
        val seconds = run.seconds
        if (seconds < order.window.toDouble(DurationUnit.SECONDS)) {
            tell(settle + seconds, (written - call.opened).coerceAtLeast(0), call.opened.toLong())
        }
    }

    fun ends(measured: LoadMeasured) {
        val found = measured.found
        val p99 = measured.latencies.response.takeIf { it.totalCount > 0 }?.getValueAtPercentile(99.0)
        onSecond(
            LoadSecond(settle + found.windowSeconds, true, found.answered, found.errors.values.sum(), 0, p99?.let { it / 1e6 }),
        )
    }

    private fun tell(at: Double, answered: Long, inFlight: Long) =
        onSecond(LoadSecond(at, inWindow = true, answered, errors = 0, inFlight, p99Ms = null))
}
