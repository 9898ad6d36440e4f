package bootdyno.subjects.work.contract

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic

/**
 * What every style that calls the slow server keeps: one call for each request, its answer passed on, and no limit of its own
 * client's.
 */
interface CallContract : ContractPart {
    private val calling get() = styles.filter { it.work == Work.CALL }

    @TestFactory
    fun `each style that calls passes on what the slow server answers, as it came`(): List<DynamicTest> = calling.map { style ->
        dynamicTest(style.path) {
            val truth = downstream.ask("/slow?mean=0")
            val answer = caller.ask("${style.path}?mean=0")
            listOf(answer.status, answer.contentType, answer.body) shouldBe listOf(200, truth.contentType, truth.body)
        }
    }

    @TestFactory
    fun `each style that calls answers no sooner than the slow server does`(): List<DynamicTest> = calling.map { style ->
        dynamicTest(style.path) {
            caller.ask("${style.path}?mean=50").tookMs shouldBeGreaterThanOrEqual 50.0
        }
    }

    @TestFactory
    fun `each style that calls does so once for each request`(): List<DynamicTest> = calling.map { style ->
        dynamicTest(style.path) {
            val before = downstream.counted("received")
            repeat(5) { caller.ask("${style.path}?mean=1").status shouldBe 200 }
            downstream.counted("received") - before shouldBe 5L
        }
    }

    @TestFactory
    fun `a mean that is no number of milliseconds is refused`(): List<DynamicTest> = calling.map { style ->
        dynamicTest(style.path) {
            listOf("-1", "1.5", "soon").associateWith { caller.ask("${style.path}?mean=$it").status } shouldBe
                mapOf("-1" to 400, "1.5" to 400, "soon" to 400)
        }
    }

    @TestFactory
    fun `as many calls are under way at once as the subject serves requests`(): List<DynamicTest> = calling.map { style ->
        dynamicTest("${style.path}: $callsAtOnce") {
            try {
                repeat(callsAtOnce) { caller.askLater("${style.path}?mean=3600000") }
                val deadline = Monotonic.markNow() + 20.seconds
                while (downstream.counted("inFlight") < callsAtOnce &&
                    deadline.hasNotPassedNow()
                ) {
                    LockSupport.parkNanos(20_000_000)
                }
                withClue("calls under way at once") { downstream.counted("inFlight") shouldBe callsAtOnce.toLong() }
            } finally {
                restartDownstream()
            }
        }
    }
}

/** A figure of the slow server's counts. */
private fun Caller.counted(name: String): Long {
    val counts = ask("/counts").body
    return checkNotNull(Regex(""""$name":(\d+)""").find(counts)) { "no $name in $counts" }.groupValues[1].toLong()
}
