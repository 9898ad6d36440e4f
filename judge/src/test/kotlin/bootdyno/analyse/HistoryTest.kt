package bootdyno.analyse

import bootdyno.model.Measure
import bootdyno.model.csvText
import bootdyno.stats.Interval
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class HistoryTest {
    @Test
    fun `a drop of a tenth is found, with what the level was and what it is`() {
        val series = seriesOf(readHistory(FixtureHistory.text(runs = 30, drop = 0.9, at = 20))).single {
            it.name.measure == Measure.THROUGHPUT
        }
        val shift = series.shifts.single()
        shift.at shouldBe 20
        shift.older shouldBe (1010.0 plusOrMinus 5.0)
        shift.newer shouldBe (909.0 plusOrMinus 5.0)
        (0.9 in shift.ratio?.interval.shouldNotBeNull()) shouldBe true
        series.levels.map { it.first } shouldBe listOf(0..19, 20..29)
        series.runs.first().estimate.interval shouldBe Interval(990.0, 1030.0)
    }

    @Test
    fun `another machine is another series, runs stand in the order of their start, and a run that is there twice counts once`() {
        val here = FixtureHistory.text(runs = 5)
        val there = FixtureHistory.text(runs = 4, machine = "another, 8 CPUs").lines().filter { it.isNotEmpty() }
        val shuffled = listOf(there.first()) + there.drop(1).reversed()
        val series = seriesOf(readHistory(here) + readHistory(here) + readHistory(shuffled.joinToString("\n")))
        val throughput = series.filter { it.name.measure == Measure.THROUGHPUT }
        throughput.map { it.runs.size } shouldBe listOf(5, 4)
        throughput.forEach { one -> one.runs.map { it.started } shouldBe one.runs.map { it.started }.sorted() }
        throughput.flatMap { it.shifts }.shouldBeEmpty()
    }

    // In UTC they began at 10:15, 10:45 and 11:15.
    @Test
    fun `runs stand in the order of the instants at which they began, whatever their offset`() {
        val text = csvText(
            sequenceOf(HISTORY_COLUMNS) + listOf("11:45+01:00", "06:15-05:00", "10:15Z").asSequence().map { time ->
                "2026-11-20T$time,$time,,x,a/b,throughput,1/s,100,,,1,,".split(',')
            },
        )
        seriesOf(readHistory(text)).single().runs.map { it.run } shouldBe listOf("10:15Z", "11:45+01:00", "06:15-05:00")
    }

    @Test
    fun `a run that was judged again counts as it was judged last`() {
        val first = FixtureHistory.text(runs = 2)
        val again = readHistory(first.replace(",1010,", ",777,"))
        fun values(history: List<Pair<SeriesName, RunFigure>>) =
            seriesOf(history).single { it.name.measure == Measure.THROUGHPUT }.runs.map { it.estimate.value }
        values(readHistory(first) + again) shouldBe values(again)
    }

    @Test
    fun `histories of before have no machine, and rows of unknown measures are left out`() {
        val old = csvText(
            sequenceOf(
                FIRST_HISTORY_COLUMNS,
                "2026-11-20T10:15:00Z,r1,,x,a/b,throughput,1/s,100,,,1".split(','),
                "2026-11-20T10:15:00Z,r1,,x,a/b,joy,1,100,,,1".split(','),
            ),
        )
        readHistory(old).single().first shouldBe SeriesName("x", "a/b", Measure.THROUGHPUT, "")
    }

    @Test
    fun `what is no history names the line`() {
        fun said(text: String) = shouldThrow<BrokenHistory> { readHistory(text) }.message
        said("a,b\n") shouldContain "line 1 is not `started,run,commit"
        said("") shouldContain "line 1 is not"
        val good = FixtureHistory.text(runs = 1)
        said(good + "2026,x\n") shouldContain "has 2 values, not 13"
        said(good.replace(",1010,", ",much,")) shouldContain "line 2: value is no figure: much"
        said(good.replace("2026-10-01T10:15:00Z", "yesterday")) shouldContain "line 2: started is no ISO 8601 time"
        said(good.replace(",1010,", ",-1,")) shouldContain "value is no figure: -1"
    }
}
