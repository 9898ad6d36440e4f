package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

/** Samples as JMeter writes them, in its order. */
internal const val JTL_HEADER =
    "timeStamp,elapsed,label,responseCode,responseMessage,success,failureMessage,grpThreads,allThreads,Latency,Connect"

class JtlReaderTest {
    private fun rows(text: String, pieces: Int = 1_000_000): List<JtlRow> = buildList {
        val reader = JtlReader(::add)
        text.toByteArray().toList().chunked(pieces).forEach { reader.read(it.toByteArray(), it.size) }
    }

    @Test
    fun `a sample has its times, its kind and how it ended`() {
        val row = rows("$JTL_HEADER\n1000,25,GET /x,200,OK,true,,3,7,24,2\n").single()
        row.start shouldBe 1000
        row.elapsed shouldBe 25
        row.end shouldBe 1025
        row.connect shouldBe 2
        row.label shouldBe "GET /x"
        row.code shouldBe "200"
        row.good shouldBe true
        row.threads shouldBe 7
        row.group shouldBe ""
        rows("$JTL_HEADER,threadName\n1000,25,GET /x,200,OK,true,,3,7,24,2,set up 1-2\n").single().group shouldBe "set up"
    }

    @Test
    fun `fields stand where the header says`() {
        val row = rows(
            "success,Connect,allThreads,elapsed,label,responseCode,responseMessage,failureMessage,timeStamp\n" +
                "false,1,2,3,x,500,no,,4\n",
        ).single()
        row.good shouldBe false
        row.elapsed shouldBe 3
        row.start shouldBe 4
    }

    @Test
    fun `quoted fields hold commas, quotes, line breaks and letters of two bytes, in whatever pieces they come`() {
        val text = "$JTL_HEADER\n1,2,\"a, \"\"b\"\"\nc ü\",200,OK,false,\"Test failed:\n\n****\",1,1,1,0\n" +
            "3,4,plain,200,OK,true,,1,1,1,0\n"
        (1..7).forEach { pieces ->
            val rows = rows(text, pieces)
            rows.map { it.label } shouldBe listOf("a, \"b\"\nc ü", "plain")
            rows[0].failure shouldBe "Test failed:\n\n****"
        }
    }

    @Test
    fun `a last line without its end is no row, for it is still being written`() {
        rows("$JTL_HEADER\n1,2,x,200,OK,true,,1,1,1,0\n3,4,x,200,OK,tr").map { it.start } shouldBe listOf(1L)
        rows("").shouldBeEmpty()
        rows(JTL_HEADER).shouldBeEmpty()
    }

    @Test
    fun `what is no sample is said with its place`() {
        shouldThrow<EngineFailed> { rows("$JTL_HEADER\n1,2,x,200,OK,true,,1,1,1,0\nx,y\n") }.message shouldContain "Record 3"
        shouldThrow<EngineFailed> { rows("timeStamp,label\n1,x\n") }.message shouldContain "elapsed"
    }
}
