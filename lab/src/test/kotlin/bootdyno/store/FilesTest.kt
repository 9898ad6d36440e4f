package bootdyno.store

import bootdyno.model.Metric
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.HdrHistogram.Histogram
import org.HdrHistogram.HistogramLogReader
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Isolated
import java.nio.file.Files
import java.nio.file.Path
import java.time.Instant
import java.time.LocalDateTime
import java.util.Locale

@Isolated("it sets the locale")
class FilesTest {
    private fun <T> speaking(locale: Locale, work: () -> T): T {
        val before = Locale.getDefault()
        Locale.setDefault(locale)
        try {
            return work()
        } finally {
            Locale.setDefault(before)
        }
    }

    private fun hlog() = LatencyFile.write(SampleRun.latencies, Instant.parse("2026-11-20T10:15:00.5Z"), from = 9.5, to = 39.75)

    @Test
    fun `a series is written with a column for every metric, plain digits, and nothing where nothing was read`() {
        val lines = SeriesFile.write(SampleRun.series).lines()
        val columns = listOf("at_s") + Metric.entries.map { it.column }
        fun row(number: Int) = lines[number].split(',').also { it shouldHaveSize columns.size }
            .zip(columns) { cell, column -> column to cell }.filter { (_, cell) -> cell.isNotEmpty() }

        lines[0] shouldBe columns.joinToString(",")
        row(1) shouldBe listOf("at_s" to "0.001", "cpu_s" to "0", "rss_bytes" to "123456789012")
        row(2) shouldBe listOf("at_s" to "1")
        row(3) shouldBe listOf("at_s" to "2.000123456", "answered" to "800", "p99_ms" to "0.0000001", "steal_s" to "0.1")
    }

    @Test
    fun `machine-written text is the same in every locale`() {
        val series = SeriesFile.write(SampleRun.series)
        val hlog = hlog()

        listOf(
            Locale.GERMANY,
            Locale.forLanguageTag("ar-EG-u-nu-arab"),
            Locale.forLanguageTag("th-TH-u-nu-thai"),
        ).forEach { locale ->
            speaking(locale) {
                SeriesFile.write(SampleRun.series) shouldBe series
                String(hlog()) shouldBe String(hlog)
                LatencyFile.read(hlog).response shouldBe SampleRun.latencies.response
                runFolderName("x", LocalDateTime.of(2026, 11, 20, 10, 15, 0)) shouldBe "2026-11-20T101500-x"
            }
        }
    }

    @Test
    fun `a value that is no number is missing`() {
        val text = SeriesFile.write(
            SampleRun.series.copy(rows = SampleRun.series.rows.map { it.copy(values = mapOf(Metric.CPU to Double.NaN)) }),
        )

        SeriesFile.read(text).rows.map { it.values } shouldContainExactly listOf(emptyMap(), emptyMap(), emptyMap())
    }

    @Test
    fun `a row of another length is named by its line`() {
        shouldThrow<IllegalArgumentException> { SeriesFile.read("at_s,cpu_s\n1,2\n1,2,3\n") }.message shouldContain "line 3"
    }

    // A header cut in half would else be a series without rows, and a number cut in half another number.
    @Test
    fun `a last line without its end is an error`() {
        listOf("at_s,cpu", "at_s,cpu_s\n1,2\n2,3").forEach {
            shouldThrow<IllegalArgumentException> { SeriesFile.read(it) }.message shouldContain "its last line has no end"
        }
    }

    @Test
    fun `the latency log is one that HdrHistogram's own reader reads`() {
        HistogramLogReader(hlog().inputStream()).use { log ->
            val tags = mutableListOf<String>()
            while (log.hasNext()) {
                val histogram = log.nextIntervalHistogram() as Histogram
                tags += histogram.tag
                // 9.5 to 39.75 s after 10:15:00.5.
                histogram.startTimeStamp shouldBe Instant.parse("2026-11-20T10:15:10Z").toEpochMilli()
                histogram.endTimeStamp shouldBe Instant.parse("2026-11-20T10:15:40.250Z").toEpochMilli()
            }
            tags shouldContainExactly listOf("response", "service", "unanswered")
        }
    }

    @Test
    fun `times to connect and kinds of request are kept beside, whatever their names`() {
        val more = SampleRun.latencies.copy(
            connect = SampleRun.latencies.service,
            sinceStart = SampleRun.latencies.response,
            operations = mapOf("create, then read #1" to SampleRun.latencies.response),
            unansweredOperations = mapOf("create, then read #1" to SampleRun.latencies.unanswered),
        )
        val read = LatencyFile.read(LatencyFile.write(more, Instant.parse("2026-11-20T10:15:00.5Z"), from = 9.5, to = 39.75))
        read.connect shouldBe more.connect
        read.sinceStart shouldBe more.sinceStart
        read.operations shouldBe more.operations
        read.unansweredOperations shouldBe more.unansweredOperations
    }

    @Test
    fun `the readable maximum of the latency log is in milliseconds`() {
        val line = String(hlog()).lines().single { it.startsWith("Tag=response") }

        // 510 ms, in a histogram of three significant digits.
        line shouldStartWith "Tag=response,9.500,30.250,"
        line.split(',')[3].toDouble() shouldBe (510.0 plusOrMinus 0.51)
    }

    @Test
    fun `intervals of one tag are added up`() {
        val lines = String(hlog()).lines().filter { it.isNotEmpty() }
        val twice = (lines + lines.filter { it.startsWith("Tag=") }).joinToString("\n", postfix = "\n")

        LatencyFile.read(twice.toByteArray()).response.totalCount shouldBe 4
    }

    @Test
    fun `the document names every column with its unit and kind`() {
        val rows = Files.readAllLines(Path.of("../docs/run-folder.md")).filter {
            it.startsWith("| `")
        }.map { it.split('|').map(String::trim) }
        val documented = rows.map { it.take(4).drop(1) }

        Metric.entries.forEach { metric ->
            documented.find { it.first() == "`${metric.column}`" } shouldBe
                listOf("`${metric.column}`", metric.unit.symbol, metric.kind.name.lowercase(Locale.ROOT))
        }
    }
}
