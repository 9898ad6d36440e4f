package bootdyno.report

import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.FigureJudged
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.stats.Estimate
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PublishedSectionTest {
    private val whole = Fixture.oneRound()
    private val cell = whole.analysis.cells.first().cell.id
    private val other = CellId("not/run")

    private fun figure(cell: CellId, measure: Measure, published: Double, measured: Double?, operation: String? = null) =
        FigureJudged(
            cell = cell,
            measure = measure,
            source = "article",
            published = published,
            measured = measured?.let { Estimate(it, null, 1) },
            publishedRatio = null,
            measuredRatio = null,
            outcome = if (measured == null) ClaimOutcome.NOT_RUN else ClaimOutcome.REPRODUCED,
            operation = operation,
        )

    private fun table(vararg figures: FigureJudged): Table? =
        publishedTable(whole.copy(analysis = whole.analysis.copy(published = figures.toList())))

    @Test
    fun `an article's table has its columns, and ours stands below each of its rows`() {
        val table = table(
            figure(cell, Measure.THROUGHPUT, 835.1, 238.0),
            figure(cell, Measure.THROUGHPUT, 208.8, 59.9, "create"),
            figure(cell, Measure.STARTUP, 10.192, 15.3),
            figure(cell, Measure.RSS, 176782900.0, 268435456.0),
            figure(other, Measure.THROUGHPUT, 1424.7, null),
        ).shouldNotBeNull()
        table.columns.map { it.head } shouldBe listOf("cell", "", "requests/s", "create requests/s", "start-up time s", "RSS MiB")
        table.rows.map { row -> row.entries.filterIsInstance<Words>().map { it.text } } shouldBe listOf(
            listOf(cell.text, "published", "835", "209", "10.2", "169"),
            listOf("", "measured", "238", "59.9", "15.3", "256"),
            listOf(other.text, "published", "1,420", "", "", ""),
            listOf("", "measured", "–", "", "", ""),
        )
        table.rows[1].entries.drop(2).map { (it as Words).tone }.distinct() shouldBe listOf(Tone.GOOD)
    }

    @Test
    fun `three kinds of figures are no table`() {
        table(
            figure(cell, Measure.THROUGHPUT, 9200.0, 9000.0),
            figure(cell, Measure.P99, 100.0, 90.0),
            figure(cell, Measure.STARTUP, 5.0, 5.0),
            figure(other, Measure.THROUGHPUT, 1.0, 1.0),
        ).shouldBeNull()
    }
}
