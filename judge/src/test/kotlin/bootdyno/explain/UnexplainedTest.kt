package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.Frame
import bootdyno.occupancy.Doing
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

/** Sentences of a report where no limit is named. */
class UnexplainedTest {
    @Test
    fun `a few thread dumps name nothing, and their number is said`() {
        val pool = resource(ResourceKind.DATABASE_CONNECTIONS, "HikariCP connections", 10, inUse = 10, waiting = 90)
        val seen = occupancy(listOf(pool), emptyList(), requests = 100).copy(observations = 2)
        val observed = observed(100, Measured(98.9, meanMs = 1000.0, cpus = 0.1), seen)
        observed.isDiagnosed shouldBe false
        observed.unexplained() shouldContain "only 2 thread dumps"
    }

    @Test
    fun `what was seen is said where nothing is named`() {
        val seen =
            occupancy(emptyList(), listOf(activity(Doing.UNKNOWN, 0.6, FIND), activity(Doing.RUNNING, 0.4, null)), requests = 40)
        val sentence = observed(100, Measured(50.0, meanMs = 2000.0, cpus = 0.2), seen).unexplained()
        sentence shouldContain "60 % elsewhere (Orders.find, line 42)"
        sentence shouldNotContain "null"
    }

    @Test
    fun `where requests await a result, threads that may produce it are said, and how many are served`() {
        val seen = occupancy(emptyList(), listOf(activity(Doing.AWAITING_RESULT, 1.0, FIND)), requests = 60)
            .copy(ownThreads = mapOf("packing" to Frame("com.acme.Packing", "pack", 37)))
        val sentence = observed(60, Measured(39.5, meanMs = 1519.0, minMs = 50.0, cpus = 0.1), seen).unexplained()
        sentence shouldContain
            "100 % wait for the result of another thread (Orders.find, line 42). About 2 are served at a time"
        sentence shouldContain "The results may come from threads outside of executors: packing (Packing.pack, line 37)."
    }

    @Test
    fun `requests that sleep the longer the more of them there are have a rate limiter of the application's own`() {
        val seen = occupancy(emptyList(), listOf(activity(Doing.SLEEPING, 1.0, FIND)), requests = 100)
        fun sentence(meanMs: Double) = observed(100, Measured(1e5 / meanMs, meanMs, minMs = 10.0, cpus = 0.1), seen).unexplained()
        sentence(1000.0) shouldContain
            "They sleep there for 1 s, a single request for 10 ms: so it spaces them out, as a rate limiter does."
        sentence(11.0) shouldNotContain "rate limiter"
    }

    @Test
    fun `requests without a thread are counted where nothing is named`() {
        val seen = occupancy(emptyList(), listOf(activity(Doing.RUNNING, 1.0, null)), requests = 1)
        val measured = Measured(50.0, meanMs = 2000.0, minMs = 80.0, cpus = 0.2)
        val sentence = observed(100, measured, seen).unexplained()
        sentence shouldContain "In 20 thread dumps 99 of 100 requests in flight had no thread: they wait in a queue, for a timer"
        sentence shouldContain "About 4 are served at a time (50/s × 80 ms without load): look for a limit of this size."
    }
}
