package bootdyno.report

import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.ProtocolPair
import bootdyno.model.Measure
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.significant

/** Cold and warm figures side by side, with the CPU share of the JIT compiler. */
internal fun protocolsSection(report: Report): Section? {
    val pairs = report.analysis.protocolPairs.filter { it.ratio != null }
    if (pairs.isEmpty()) return null
    val (bursts, others) = pairs.partition { report.cell(it.cold).isBurst }
    val tables = listOf(
        others to table("Cold and warm", others) {
            text("cell") { Words(it.name) }
            if (report.analysis.published.isNotEmpty()) {
                figure("published", importance = 6) {
                    Words(publishedOf(report, it.cold, Measure.THROUGHPUT)?.let(::significant) ?: "–", Tone.DIM)
                }
            }
            figure("cold", "requests/s") { withInterval(report.cell(it.cold).throughput) }
            figure("warm", "requests/s") { withInterval(report.cell(it.steady).throughput) }
            figure("cold / warm", importance = 2) { ratioOf(it.ratio) }
            compiling(report)
        },
        bursts to table("Bursts cold and warm", bursts) {
            text("cell") { Words(it.name) }
            figure("99 % answered after, cold", "s") { timeUntil(report.cell(it.cold), Measure.TIME_TO_99) }
            figure("warm", "s") { timeUntil(report.cell(it.steady), Measure.TIME_TO_99) }
            compiling(report)
        },
    ).filter { (rows, _) -> rows.isNotEmpty() }
    val lead = "The same cells without warm-up (cold) and after certified warm-up (warm), in the same rounds."
    val shown = tables.map { (rows, table) -> if (rows.size > MANY) Folded("All ${rows.size} cells", listOf(table)) else table }
    val blocks = listOf(Paragraph(summary(report, others, pairs))) + shown + coldAndWarm(report)
    return Section("protocols", "Cold and warm", lead, blocks)
}

private fun Columns<ProtocolPair>.compiling(report: Report) {
    resource(Measure.COMPILER, "JIT compiler cold, share of CPU time", importance = 3) { report.cell(it.cold) }
    resource(Measure.COMPILER, "warm", importance = 3) { report.cell(it.steady) }
    resource(Measure.COMPILER_CPU, "JIT compiler cold, CPU time", importance = 4) { report.cell(it.cold) }
    resource(Measure.COMPILER_CPU, "warm", importance = 4) { report.cell(it.steady) }
}

/** One line per claim of the source: published, cold and warm value. */
private fun coldAndWarm(report: Report): List<Block> {
    val measured = report.analysis.claims.filter { it.measured != null }
    val items = measured.groupBy { it.text }.values.filter { it.size > 1 }.map { same ->
        val each = same.map { "${protocolOf(report, it)} ${figure(it)} (${sign(it.outcome).word.drop(2)})" }
        Item("${same.first().text}: published ${published(same.first())}, ${listed(each)}.")
    }.ifEmpty { return emptyList() }
    return listOf(heading("Claims cold and warm"), Bullets(items))
}

private fun protocolOf(report: Report, claim: ClaimJudged): String =
    claim.cells.firstNotNullOfOrNull { report.analysis.cell(it)?.cell?.profile?.protocol }?.word.orEmpty()

private fun figure(claim: ClaimJudged): String =
    measured(claim.measured, claim.bound).let { listOfNotNull(it.text, it.beside).joinToString(" ") }

/** Tables with more rows are collapsed. */
private const val MANY = 30

/** [lasting]: those of [pairs] that are no bursts. */
private fun summary(report: Report, lasting: List<ProtocolPair>, pairs: List<ProtocolPair>): String {
    val ratios = lasting.mapNotNull { it.ratio?.value }.ifEmpty { null }
    val compiling = pairs.mapNotNull { report.analysis.cell(it.cold)?.resources?.get(Measure.COMPILER)?.value }.maxOrNull()
    return listOfNotNull(
        ratios?.let { "Cold throughput is ${spread(it)} times the warm throughput." },
        compiling?.let { "The JIT compiler used up to ${percent(it)} of the CPU time of a cold window." },
    ).joinToString(" ")
}
