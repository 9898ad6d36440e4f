package bootdyno.model

import java.math.BigDecimal
import java.math.MathContext
import java.math.RoundingMode
import java.util.Locale
import kotlin.math.abs
import kotlin.math.max
import kotlin.time.Duration
import kotlin.time.DurationUnit

/*
 * Formats numbers for people: terminal, HTML, Markdown, charts, tables and messages, equal in every locale. Files for programs (JSON, CSV,
 * YAML) have rules of their own.
 *
 * | quantity | rule | function | example |
 * |---|---|---|---|
 * | measured, in a column | three significant digits; zeros stay, so that the column lines up | [significant] | `7.70`, `779`, `28,400` |
 * | measured, in a sentence | three significant digits; zeros at the end go | [rounded], [perSecond] | `7.7`, `28,400/s` |
 * | counted or configured | every digit | [count], [exact] | `8,192`, `0.5` |
 * | time, in a sentence | the unit that leaves 1 to 999, from s downwards | [time] | `35 µs`, `506 ms`, `29.1 s` |
 * | memory | MiB; a configured size in GiB where that is a whole number | [mebibytes], [size] | `271`, `1 GiB` |
 * | share | per cent, one decimal below ten | [percent] | `32 %`, `5.3 %`, `<0.1 %` |
 * | ratio | as a measured number, with its sign | [times] | `1.98×` |
 *
 * Thousands are separated by commas. A bound has its sign in front: `≥29,100`. NaN is `–`.
 */

/** Three significant [digits] with their zeros: `1.00`, `779`, `28,400`. */
fun significant(value: Double, digits: Int = 3): String {
    if (!value.isFinite()) return "–"
    if (value == 0.0) return "0"
    val rounded = BigDecimal(value).round(MathContext(digits, RoundingMode.HALF_UP))
    return fixed(rounded, max(0, digits - (rounded.precision() - rounded.scale())))
}

/** Three significant digits without zeros at the end: `7.7`, `0.5`. */
fun rounded(value: Double): String {
    val text = significant(value)
    return if ('.' in text) text.trimEnd('0').trimEnd('.') else text
}

/** For counts and configured values: a whole number with all digits, otherwise [rounded]. */
fun exact(value: Double): String = if (value % 1.0 == 0.0) count(value.toLong()) else rounded(value)

fun count(value: Long): String = String.format(Locale.ROOT, "%,d", value)

fun count(value: Int): String = count(value.toLong())

/** [decimals] digits after the point. */
fun fixed(value: Double, decimals: Int): String = fixed(BigDecimal(value), decimals)

private fun fixed(value: BigDecimal, decimals: Int): String {
    val scaled = value.setScale(decimals, RoundingMode.HALF_UP)
    // A page has tens of thousands of figures, and hardly any needs a comma.
    return if (scaled.abs() < THOUSAND) scaled.toPlainString() else String.format(Locale.ROOT, "%,.${decimals}f", scaled)
}

private val THOUSAND = BigDecimal(1000)

/** `392/s`. */
fun perSecond(value: Double): String = "${rounded(value)}/s"

/** A share as a percentage: 0.053 is `5.3 %`. */
fun percent(share: Double): String {
    val percent = share * 100
    return when {
        percent == 0.0 -> "0 %"
        abs(percent) < 0.1 -> "<0.1 %"
        abs(percent) < 9.95 -> "${fixed(percent, 1)} %"
        else -> "${fixed(percent, 0)} %"
    }
}

fun times(ratio: Double): String = "${significant(ratio)}×"

/** `35 µs`, `506 ms`, `29.1 s`. */
fun time(duration: Duration): String = timeOfSeconds(duration.toDouble(DurationUnit.SECONDS))

fun timeOfMillis(milliseconds: Double): String = timeOfSeconds(milliseconds / 1e3)

fun timeOfSeconds(seconds: Double): String = when {
    seconds >= 0.9995 || seconds == 0.0 -> "${rounded(seconds)} s"
    seconds >= 0.0009995 -> "${rounded(seconds * 1e3)} ms"
    else -> "${rounded(seconds * 1e6)} µs"
}

/** `512`, for a column in MiB. */
fun mebibytes(bytes: Double): String = significant(bytes / Bytes.MIB)

/** `1 GiB`, `512 MiB`. */
fun size(bytes: Bytes): String =
    if (bytes.count % Bytes.GIB == 0L) "${count(bytes.count / Bytes.GIB)} GiB" else "${mebibytes(bytes.count.toDouble())} MiB"

/** `1 CPU`, `1.5 CPUs`. */
fun cpusText(cpus: Double): String = "${exact(cpus)} ${if (cpus == 1.0) "CPU" else "CPUs"}"

/** `1 trial`, `2 trials`. */
fun plural(amount: Int, one: String): String = if (amount == 1) "1 $one" else "${count(amount)} ${one}s"

/** `a, b and c`. */
fun listed(words: List<String>): String =
    if (words.size < 2) words.joinToString() else words.dropLast(1).joinToString() + " and " + words.last()

/** `3 to 5`, or `3` where both are the same when they are [rounded]. */
fun roundedRange(low: Double, high: Double): String = listOf(low, high).map(::rounded).distinct().joinToString(" to ")

/** [text] without its middle, to fit [width] columns: both ends of a long name differ from those of others. */
fun fitted(text: String, width: Int): String =
    if (text.length <= width) text else text.take(width / 2) + "…" + text.takeLast(width - width / 2 - 1)

/** [name], then with numbers from 2 on, each after a [sign]: `name-2`, `name-3`. */
fun numbered(name: String, sign: String = "-"): Sequence<String> =
    sequenceOf(name) + generateSequence(2) { it + 1 }.map { "$name$sign$it" }

/** `round 3 of 6`, `rounds 3 and 5 of 6`. [planned]: all rounds of the plan. */
fun roundsInWords(rounds: List<Int>, planned: Int): String =
    "${if (rounds.size == 1) "round" else "rounds"} ${listed(rounds.map { "$it" })} of $planned"

/** For files that are read again: no exponent, no `.0`, equal in every locale. */
fun plainText(number: Double): String =
    BigDecimal(number.toString()).let { if (it.signum() == 0) "0" else it.stripTrailingZeros().toPlainString() }
