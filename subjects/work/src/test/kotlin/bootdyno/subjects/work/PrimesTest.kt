package bootdyno.subjects.work

import bootdyno.subjects.work.contract.Compiled
import bootdyno.subjects.work.contract.Sieve
import bootdyno.subjects.work.contract.Work
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic

class PrimesTest {
    private val sieve = Sieve(1_000_000)

    @Test
    fun `the first primes are known by heart, and one is none of them`() {
        primesUpTo(Limit(30)) shouldBe listOf(2, 3, 5, 7, 11, 13, 17, 19, 23, 29)
        listOf(0, 1).forEach { primesUpTo(Limit(it)) shouldBe emptyList() }
    }

    @Test
    fun `a prime and its square are told apart, where the trial divisions end`() {
        listOf(2, 3, 5, 7, 97, 3137).forEach { prime ->
            isPrime(prime) shouldBe true
            isPrime(prime * prime) shouldBe false
        }
        // The last prime below the highest limit; 3163 is the first divisor that need not be tried.
        isPrime(9_999_991) shouldBe true
    }

    /** 10 and 100 can be added up by hand; all of them stand in the On-Line Encyclopedia of Integer Sequences as A046731. */
    @Test
    fun `trial division and sieve both find the known sums`() {
        val known = mapOf(10 to 17L, 100 to 1060L, 1000 to 76_127L, 10_000 to 5_736_396L, 100_000 to 454_396_537L)
        known.mapValues { (limit, _) -> sumOfPrimes(Limit(limit)) } shouldBe known
        known.mapValues { (limit, _) -> sieve.sumUpTo(limit) } shouldBe known
    }

    @Test
    fun `more work changes no sum, and is as much as stated`() {
        listOf(0, 5, 10, 50).forEach { sumOfPrimesWithMoreWork(Limit(10_000), it) shouldBe 5_736_396L }
        fun divisions(number: Int) = generateSequence(2) { it + 1 }
            .takeWhile { it * it <= number && (it == 2 || number % (it - 1) != 0) }.count()
        val all = (1..10_000).sumOf(::divisions).toDouble()
        for (percent in listOf(5, 10)) {
            (1..10_000).filter { it % 100 < percent }.sumOf(::divisions) / all shouldBe (percent / 100.0 plusOrMinus 0.002)
        }
    }

    @Test
    fun `the sum outgrows an Int without harm`() {
        sumOfPrimes(Limit(1_000_000)) shouldBe 37_550_402_023
    }

    @Test
    fun `the list is the sieve's for every limit once the optimizing compiler has been at work`() {
        val deadline = Monotonic.markNow() + 60.seconds
        while (!Compiled.byC2(Work.PRIMES)) {
            check(deadline.hasNotPassedNow()) { "C2 has not compiled the work within 60 s" }
            repeat(100) { sumOfPrimes(Limit(1000)) shouldBe 76_127 }
        }
        (0..2000).forEach { limit ->
            withClue("up to $limit") {
                primesUpTo(Limit(limit)) shouldBe sieve.primesUpTo(limit)
                sumOfPrimes(Limit(limit)) shouldBe sieve.sumUpTo(limit)
            }
        }
    }
}
