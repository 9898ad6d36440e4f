package bootdyno.plan

import bootdyno.model.ThinkTime
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class ThinkReadingTest {
    private fun text(think: String) = SMALL.replace("{ get: /noop }", "{ get: /noop, think: $think }")

    @Test
    fun `a think time is a mean or a range, and is read again as it was`() {
        mapOf(
            "1 s" to ThinkTime.Exponential(1.seconds),
            "500 ms..2 s" to ThinkTime.Uniform(500.milliseconds, 2.seconds),
            "1min .. 2min" to ThinkTime.Uniform(1.minutes, 2.minutes),
        ).forEach { (written, think) ->
            readTwice(text(written)).experiment.workloads.single().think shouldBe think
        }
    }
}
