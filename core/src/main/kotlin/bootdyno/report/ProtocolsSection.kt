package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.ProtocolPair
import bootdyno.model.Measure
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.significant

/** Cold and warm side by side, with what the JIT compiler did meanwhile: the part of a difference that is warm-up. */
internal fun protocolsSection(report: Report): Section? {
    val pairs = report.analysis.protocolPairs.filter { it.ratio != null }
    if (pairs.isEmpty()) return null
    val table = Table(
        caption = "Cold and warm, side by side",
        columns = columns(report),
        rows = pairs.map { row(report, it) },
    )
    val lead =
        "The same cells without any warm-up and warmed up until certified, in the same rounds. Compiler: its share of the " +
            "subject's CPU time inside the window, and the CPU time it had had by the end of it; what it lacks is code still " +
            "interpreted or half compiled."
    val shown = if (pairs.size > MANY) Folded("All ${pairs.size} cells", listOf(table)) else table
    val claims = coldAndWarm(report)
    return Section("protocols", "Cold and warm", lead, listOf(Paragraph(summary(report, pairs)), shown) + claims)
}

/** Each claim of the source in a line: what was published, what it is cold, what it is warm. */
private fun coldAndWarm(report: Report): List<Block> {
    val measured = report.analysis.claims.filter { it.measured != null }
    val items = measured.groupBy { it.text }.values.filter { it.size > 1 }.map { same ->
        val each = same.map { claim ->
            "${protocolOf(report, claim)} ${figure(claim)} (${sign(claim.outcome, claim.measured).word.drop(2)})"
        }
        Item("${same.first().text}: published ${published(same.first())}, ${listed(each)}.")
    }
    if (items.isEmpty()) return emptyList()
    return listOf(Paragraph("Does it hold once the JIT compiler has finished?", Tone.STRONG, heading = true), Bullets(items))
}

private fun protocolOf(report: Report, claim: ClaimJudged): String =
    claim.cells.firstNotNullOfOrNull { report.analysis.cell(it)?.cell?.profile?.protocol }?.word.orEmpty()

private fun figure(claim: ClaimJudged): String = measured(claim.measured, claim.bound).let { words ->
    listOfNotNull(words.text, words.beside).joinToString(" ")
}

/** More rows than this are folded away. */
private const val MANY = 30

private fun columns(report: Report): List<Column> = listOfNotNull(
    Column("cell", importance = 0),
    Column("published", right = true, importance = 6).takeIf { report.analysis.published.isNotEmpty() },
    Column("cold", "requests/s", right = true, importance = 1),
    Column("warm", "requests/s", right = true, importance = 1),
    Column("cold / warm", right = true, importance = 2),
    Column("compiler cold", right = true, importance = 3),
    Column("compiler warm", right = true, importance = 3),
    Column("had cold", "CPU s", right = true, importance = 4),
    Column("had warm", "CPU s", right = true, importance = 4),
)

private fun row(report: Report, pair: ProtocolPair): Row {
    val cold = report.analysis.cell(pair.cold) ?: error("no cell ${pair.cold} in the analysis")
    val steady = report.analysis.cell(pair.steady) ?: error("no cell ${pair.steady} in the analysis")
    val published = publishedOf(report, pair.cold, Measure.THROUGHPUT)
    return Row(
        listOfNotNull(
            Words(pair.name),
            Words(published?.let(::significant) ?: "–", Tone.DIM).takeIf { report.analysis.published.isNotEmpty() },
            throughput(cold),
            throughput(steady),
            pair.ratio?.let { Words("${point(it)}×", beside = range(it)) } ?: Words("–", Tone.DIM),
            resource(cold, Measure.COMPILER, ::percent),
            resource(steady, Measure.COMPILER, ::percent),
            resource(cold, Measure.COMPILER_CPU, ::significant),
            resource(steady, Measure.COMPILER_CPU, ::significant),
        ),
    )
}

private fun throughput(cell: CellAnalysis): Words =
    cell.throughput?.let { Words(significant(it.value), beside = plusMinus(it), hint = range(it)) } ?: Words("–", Tone.DIM)

private fun resource(cell: CellAnalysis, resource: Measure, text: (Double) -> String): Words =
    cell.resources[resource]?.let { Words(text(it.value), hint = range(it, text)) } ?: Words("–", Tone.DIM)

private fun summary(report: Report, pairs: List<ProtocolPair>): String {
    val ratios = pairs.mapNotNull { it.ratio?.value }
    val spread = listOf(ratios.min(), ratios.max()).map(::significant).distinct().joinToString(" to ")
    val compiling = pairs.mapNotNull { report.analysis.cell(it.cold)?.resources?.get(Measure.COMPILER)?.value }.maxOrNull()
    val spent = compiling?.let { "; up to ${percent(it)} of the CPU time of a cold window was the compiler's" }.orEmpty()
    return "A cold subject served $spread times what the same subject served warm$spent."
}
