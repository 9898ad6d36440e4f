package bootdyno.subjects.work.contract

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic

/** What every style that computes keeps: the right sum for every limit, however well the JVM knows the code by then. */
interface CpuContract : ContractPart {
    private val computing get() = styles.filter { it.computes }
    private val cooperative get() = computing.filter { it.work == Work.COOPERATIVE_PRIMES }

    @TestFactory
    fun `each style that computes answers with its name and the sum of the primes`(): List<DynamicTest> = computing.map { style ->
        dynamicTest(style.path) {
            listOf(0, 1, 2, 100, 1000, 10_000).forEach { it shouldBeSummedBy style }
        }
    }

    @TestFactory
    fun `each style that computes sums the primes up to 1000 when not told how far`(): List<DynamicTest> =
        computing.map { style ->
            dynamicTest(style.path) { caller.ask(style.path).body shouldBe "${style.answer} 76127" }
        }

    /**
     * Each answer has to hold the sum of all its primes. So code that was optimized under one limit and is right under all
     * others has left nothing out.
     */
    @TestFactory
    fun `each style still computes every sum once the work is optimized`(): List<DynamicTest> = computing.map { style ->
        dynamicTest(style.path) {
            val deadline = Monotonic.markNow() + 60.seconds
            while (!Compiled.byC2(checkNotNull(style.work))) {
                check(deadline.hasNotPassedNow()) { "C2 has not compiled the work of ${style.path} within 60 s" }
                repeat(20) { 1000 shouldBeSummedBy style }
            }
            (0..2000 step 37).forEach { it shouldBeSummedBy style }
        }
    }

    @TestFactory
    fun `a limit that is no number up to ten million is refused`(): List<DynamicTest> = computing.map { style ->
        dynamicTest(style.path) {
            listOf("-1", "1.5", "many", "10000001").associateWith { caller.ask("${style.path}?limit=$it").status } shouldBe
                mapOf("-1" to 400, "1.5" to 400, "many" to 400, "10000001" to 400)
        }
    }

    @TestFactory
    fun `a batch that is no number from one is refused`(): List<DynamicTest> = cooperative.map { style ->
        dynamicTest(style.path) {
            listOf("0", "-1", "1.5", "often").associateWith { caller.ask("${style.path}?batch=$it").status } shouldBe
                mapOf("0" to 400, "-1" to 400, "1.5" to 400, "often" to 400)
        }
    }

    @TestFactory
    fun `the size of the batches does not change the sum`(): List<DynamicTest> = cooperative.map { style ->
        dynamicTest(style.path) {
            listOf(1, 7, 1000, 1_000_000).forEach { batch ->
                withClue("batch $batch") {
                    caller.ask("${style.path}?limit=10000&batch=$batch").body shouldBe "${style.answer} 5736396"
                }
            }
        }
    }

    private infix fun Int.shouldBeSummedBy(style: DescribedStyle) = withClue("${style.path} up to $this") {
        val answer = caller.ask("${style.path}?limit=$this")
        answer.status shouldBe 200
        answer.body shouldBe "${style.answer} ${sieve.sumUpTo(this)}"
    }

    private companion object {
        val sieve = Sieve(10_000)
    }
}
