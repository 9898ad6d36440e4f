package bootdyno.report.format

/** What can be told from the SVG of one chart. */
internal class Drawing(private val svg: String) {
    val texts: List<String> = Regex("<text[^>]*>([^<]*)</text>").findAll(svg).map { it.groupValues[1] }.toList()

    /** What is said where a reader points. */
    val titles: List<String> = Regex("<title>([^<]*)</title>").findAll(svg).map { it.groupValues[1] }.toList()

    /** The elements of the line [name] of a [kind]: `line`, `whisker`, `mark`. */
    fun of(name: String, kind: String): List<String> =
        groups(name).flatMap { group -> Regex("<[a-z]+ class=\"$kind\"[^>]*>").findAll(group).map { it.value } }

    /** The points of the line [name], in units of the axes. */
    fun points(name: String): List<Pair<Double, Double>> =
        groups(name).flatMap { group -> Regex(" d=\"M([^\"]*)\"").findAll(group) }
            .flatMap { path -> path.groupValues[1].split(' ').map { it.toDouble() }.chunked(2) { (x, y) -> x to y } }

    /** Lines that a button can show. */
    val hidden: Int = Regex("<g data-name=\"[^\"]*\" class=\"k[0-9]\" hidden>").findAll(svg).count()

    /** Where a label on the axis below stands, turned or not. */
    fun x(text: String): Double = attribute(requireNotNull(Regex("<text[^>]*>${Regex.escape(text)}</text>").find(svg)).value, "x")

    private fun groups(name: String) =
        Regex("<g data-name=\"${Regex.escape(name)}\"[^>]*>(.*?)</g>").findAll(svg).map { it.groupValues[1] }.toList()

    companion object {
        fun of(html: String, chart: String) = Drawing(html.substringAfter(" id=\"chart-$chart\"").substringBefore("</div>"))

        fun attribute(element: String, name: String): Double = element.substringAfter(" $name=\"").substringBefore('"').toDouble()
    }
}
