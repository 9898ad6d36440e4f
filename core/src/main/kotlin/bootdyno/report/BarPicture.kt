package bootdyno.report

import java.util.Locale

/** A bar to scale, its interval as a whisker, its trials as dots below, its limit as a dashed line: a small SVG. */
internal fun picture(bar: Bar): String = buildString {
    val colour = "var(--c${bar.mark.colour})"
    val spoken = attribute(bar.spoken)
    val length = number(x(bar, bar.value).coerceAtLeast(1.5))
    append(
        """<svg class="bar" width="${WIDTH + 6}" height="32" viewBox="-3 0 ${WIDTH + 6} 32" role="img" aria-label="$spoken">""",
    )
    append("""<rect x="0" y="4" width="$length" height="16" rx="2" fill="$colour" opacity=".55"/>""")
    bar.limit?.let { append(line(x(bar, it), 0.0, x(bar, it), 30.0, "limit")) }
    if (bar.low != null && bar.high != null) {
        append(line(x(bar, bar.low), 12.0, x(bar, bar.high), 12.0, "whisker"))
        append(line(x(bar, bar.low), 7.0, x(bar, bar.low), 17.0, "whisker"))
        append(line(x(bar, bar.high), 7.0, x(bar, bar.high), 17.0, "whisker"))
    }
    bar.dots.forEach { append("""<circle cx="${number(x(bar, it))}" cy="27" r="2.1" fill="$colour" opacity=".9"/>""") }
    append("</svg>")
}

private const val WIDTH = 160

private fun x(bar: Bar, value: Double): Double = (value / bar.most * WIDTH).coerceIn(0.0, WIDTH.toDouble())

private fun line(x1: Double, y1: Double, x2: Double, y2: Double, kind: String): String =
    """<line class="$kind" x1="${number(x1)}" y1="${number(y1)}" x2="${number(x2)}" y2="${number(y2)}"/>"""

private fun number(value: Double): String = String.format(Locale.ROOT, "%.1f", value)

private fun attribute(text: String): String =
    text.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;").replace(">", "&gt;")
