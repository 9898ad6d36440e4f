package bootdyno.explain

import java.math.BigDecimal
import java.math.MathContext
import java.util.Locale
import kotlin.time.Duration
import kotlin.time.DurationUnit

private const val DIGITS = 3

/** `392/s`, `7.7/s`, `28,400/s`: three digits, a comma between thousands. */
internal fun perSecond(value: Double): String = "${number(value)}/s"

/** At most three significant digits, a comma between thousands; 8,192 keeps its four, being a count. */
internal fun number(value: Double): String {
    val exact = value % 1.0 == 0.0 && value < 10_000
    val decimal = if (exact) BigDecimal(value) else BigDecimal(value).round(MathContext(DIGITS))
    val plain = if (decimal.signum() == 0) BigDecimal.ZERO else decimal.stripTrailingZeros()
    return String.format(Locale.ROOT, "%,.${maxOf(0, plain.scale())}f", plain)
}

/** `0.51 s`, `12 ms`, `35 µs`. */
fun Duration.words(): String {
    val seconds = toDouble(DurationUnit.SECONDS)
    return when {
        seconds >= 0.1 -> "${number(twoPlaces(seconds))} s"
        seconds >= 0.001 -> "${number(seconds * 1e3)} ms"
        else -> "${number(seconds * 1e6)} µs"
    }
}

/** `1 CPU`, `2 CPUs`. */
internal fun cpusWords(cpus: Double): String = "${number(cpus)} ${if (cpus == 1.0) "CPU" else "CPUs"}"

internal fun percent(share: Double): String = "${number(Math.round(share * 100).toDouble())} %"

private fun twoPlaces(value: Double) = Math.round(value * 100) / 100.0
