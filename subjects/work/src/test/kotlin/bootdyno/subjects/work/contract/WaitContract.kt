package bootdyno.subjects.work.contract

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

/** What every style that waits keeps: it waits as long as it was asked to, and says so when it cannot read how long. */
interface WaitContract : ContractPart {
    private val waiting get() = styles.filter { it.work == Work.WAIT }

    @TestFactory
    fun `each style that waits does not answer before its time`(): List<DynamicTest> = waiting.map { style ->
        dynamicTest(style.path) {
            caller.ask("${style.path}?ms=50").tookMs shouldBeGreaterThanOrEqual 50.0
        }
    }

    @Test
    fun `each style that waits does so for 500 ms when not told how long`() {
        val answers = waiting.map { it to caller.askLater(it.path) }
        answers.forEach { (style, answer) ->
            withClue(style.path) {
                answer.join().status shouldBe 200
                answer.join().tookMs shouldBeGreaterThanOrEqual 500.0
            }
        }
    }

    @TestFactory
    fun `a wait that is no number of milliseconds is refused`(): List<DynamicTest> = waiting.map { style ->
        dynamicTest(style.path) {
            listOf("-1", "1.5", "soon").associateWith { caller.ask("${style.path}?ms=$it").status } shouldBe
                mapOf("-1" to 400, "1.5" to 400, "soon" to 400)
        }
    }
}
