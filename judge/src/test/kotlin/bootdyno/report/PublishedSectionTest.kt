package bootdyno.report

import bootdyno.analyse.recorded
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.OperationFound
import bootdyno.model.PublishedFigure
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PublishedSectionTest {
    private val cell = CellId("tomcat/blockingIO")
    private val other = CellId("webflux/blockingIO")

    private fun figure(cell: CellId, measure: Measure, value: Double, operation: String? = null) =
        PublishedFigure(cell, measure, value, "article", operation)

    private fun table(vararg figures: PublishedFigure): Table? = publishedTable(
        Fixture.sixRounds.asked { copy(published = figures.toList()) }.remeasured(cell) {
            recorded { copy(load = load?.copy(operations = listOf(OperationFound("create", 1800, emptyMap())))) }
        },
    )

    @Test
    fun `an article's table has its columns, and ours stands below each of its rows`() {
        val table = table(
            figure(cell, Measure.THROUGHPUT, 400.0),
            figure(cell, Measure.THROUGHPUT, 60.0, "create"),
            figure(cell, Measure.STARTUP, 10.192),
            figure(cell, Measure.RSS, 176782900.0),
            figure(other, Measure.THROUGHPUT, 1424.7),
        ).shouldNotBeNull()
        table.columns.map { it.head } shouldBe listOf("cell", "", "requests/s", "create requests/s", "start-up time s", "RSS MiB")
        table.rows.map { row -> row.entries.filterIsInstance<Words>().map { it.text } } shouldBe listOf(
            listOf(cell.text, "published", "400", "60.0", "10.2", "169"),
            listOf("", "measured", "392", "60.0", "2.30", "239"),
            listOf(other.text, "published", "1,420", "", "", ""),
            listOf("", "measured", "–", "", "", ""),
        )
        table.rows[1].entries.drop(2).map { (it as Words).tone }.distinct() shouldBe listOf(Tone.GOOD, Tone.DIM)
    }

    @Test
    fun `three kinds of figures are no table`() {
        table(
            figure(cell, Measure.THROUGHPUT, 9200.0),
            figure(cell, Measure.P99, 100.0),
            figure(cell, Measure.STARTUP, 5.0),
            figure(other, Measure.THROUGHPUT, 1.0),
        ).shouldBeNull()
    }
}
