package bootdyno.report.format

import bootdyno.report.measured

/** What can be told from the paths and texts of one chart's SVG. */
internal class Drawing(private val svg: String) {
    data class Band(val from: Double, val width: Double)

    private val paths = Regex("<path[^>]*>").findAll(svg).map { it.value }.toList()

    val texts: List<String> = Regex("<text[^>]*>([^<]*)</text>").findAll(svg).map { it.groupValues[1] }.toList()

    /** Where a label on the axis below stands, turned or not. */
    fun x(text: String): Double {
        val place = """(?:translate\(|matrix\((?:[-.0-9]+,){4})([-.0-9]+)"""
        val label = Regex("""$place[^>]*>${Regex.escape(text)}</text>""").find(svg)
        return requireNotNull(label) { "no text $text among $texts" }.groupValues[1].toDouble()
    }

    /** The solid lines through the measured points. */
    fun lines(colour: String): List<String> = ofStroke(colour, "2.2")

    /** Solid or not. */
    fun measured(colour: String): List<String> = lines(colour) + ofStroke(colour, "1.8")

    /** An end, the other end, and the stretch between. */
    fun whiskers(colour: String): List<String> = ofStroke(colour, "1.4").filter { path -> path.count { it == 'M' } == 3 }

    /** An upright and its two barbs. */
    fun arrows(colour: String): List<String> = ofStroke(colour, "1.4").filter { path -> path.count { it == 'M' } == 2 }

    fun bands(colour: String): List<Band> = paths.filter { "fill=\"$colour\" fill-opacity=\"0.2\"" in it }.map { path ->
        val (from, width) = requireNotNull(Regex("""d="M([.0-9]+) [.0-9]+l([.0-9]+) """).find(path)) { path }.destructured
        Band(from.toDouble(), width.toDouble())
    }

    /** Lines of published figures. */
    val published: Int = paths.count { "stroke-dasharray=\"5,4\"" in it }

    /** Curves by percentile, each counted once, whether or not its end is dashed. */
    val curves: Int = paths.count { "stroke-width=\"2.3\"" in it && "stroke-dasharray=\"7,4\"" !in it }

    /** Boxes that a search did not find. */
    val faded: Int = paths.count { "fill-opacity=\"0.15\"" in it }

    private fun ofStroke(colour: String, width: String) =
        paths.filter { "stroke=\"$colour\"" in it && "stroke-width=\"$width\"" in it }
}
