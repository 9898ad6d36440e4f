package bootdyno.yaml

import bootdyno.model.Bytes
import bootdyno.model.plainText
import java.math.BigDecimal
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds

private val QUANTITY = Regex("""(\d+(?:\.\d+)?)\s*([A-Za-zµ]+)""")

/** Nanoseconds of each unit of time, longest first. */
private val TIMES = mapOf(
    "h" to 3_600_000_000_000,
    "min" to 60_000_000_000,
    "s" to 1_000_000_000,
    "ms" to 1_000_000,
    "µs" to 1_000,
    "us" to 1_000,
    "ns" to 1,
)

/** Bytes of each unit of memory, largest first. Decimal units are rejected, because `1 GB` is ambiguous. */
private val MEMORIES = mapOf("GiB" to Bytes.GIB, "MiB" to Bytes.MIB, "KiB" to Bytes.KIB, "B" to 1L)

/** `30 s`, `500ms`, `1.5 min`; null for anything else, including 0 s. */
fun parseDuration(text: String): Duration? = scaled(text, TIMES)?.takeIf { it > 0 }?.nanoseconds

/** `1 GiB`, `512 MiB`; null for anything else. */
internal fun parseBytes(text: String): Bytes? = scaled(text, MEMORIES)?.takeIf { it > 0 }?.let(::Bytes)

/** Larger percentages are rejected; their text would be too long. */
private const val MOST_PERCENT = 1e6

/** `10 %` as 0.1; null for anything else. */
internal fun parsePercent(text: String): Double? {
    val number = text.trim().takeIf { it.endsWith("%") }?.removeSuffix("%")?.trim()
    if (number?.toDoubleOrNull()?.takeIf { it > 0 && it < MOST_PERCENT } == null) return null
    return number.toBigDecimalOrNull()?.movePointLeft(2)?.toDouble()
}

/** `500/s` as 500.0; null for anything else. */
internal fun parseRate(text: String): Double? {
    val number = text.trim().takeIf { it.endsWith("/s") }?.removeSuffix("/s")?.trim()
    return number?.toDoubleOrNull()?.takeIf { it > 0 && it.isFinite() }
}

/** In the largest unit without a fraction: `90 s`, `500 ms`. */
internal fun Duration.toText(): String = whole(inWholeNanoseconds, TIMES)

internal fun Bytes.toText(): String = whole(count, MEMORIES)

internal fun percentText(share: Double): String = "${plainText(BigDecimal(share.toString()).movePointRight(2).toDouble())} %"

private fun scaled(text: String, units: Map<String, Long>): Long? {
    val (number, unit) = QUANTITY.matchEntire(text.trim())?.destructured ?: return null
    val size = units[unit] ?: return null
    val exact = BigDecimal(number).multiply(BigDecimal(size))
    return exact.takeIf { it < BigDecimal(Long.MAX_VALUE / 4) }?.toLong()
}

private fun whole(amount: Long, units: Map<String, Long>): String {
    val (unit, size) = units.entries.first { (amount % it.value == 0L && amount >= it.value) || it.value == 1L }
    return "${amount / size} $unit"
}
