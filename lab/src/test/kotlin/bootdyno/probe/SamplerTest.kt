package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.model.SeriesRow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds

class SamplerTest {
    private val rows = CopyOnWriteArrayList<SeriesRow>()

    /** Answers its own count; fails whenever [fails] says so. */
    private class CountingProbe(private val fails: (Int) -> Boolean = { false }) : Probe {
        val asked = AtomicInteger()

        override fun read(): Map<Metric, Double> {
            val count = asked.incrementAndGet()
            check(!fails(count)) { "reading $count" }
            return mapOf(Metric.THREADS to count.toDouble())
        }
    }

    @Test
    fun `rows carry the trial's own clock`() {
        val clock = AtomicInteger()
        val sampler = Sampler(CountingProbe(), { clock.incrementAndGet() * 10.0 }, 1.milliseconds) { rows += it }.start()
        await("two rows") { rows.size >= 2 }
        sampler.stop()

        rows.take(2) shouldContainExactly
            listOf(SeriesRow(10.0, mapOf(Metric.THREADS to 1.0)), SeriesRow(20.0, mapOf(Metric.THREADS to 2.0)))
    }

    @Test
    fun `a failed reading is left out and the next ones come`() {
        val sampler = Sampler(CountingProbe { it == 1 || it == 3 }, { 0.0 }, 1.milliseconds) { rows += it }.start()
        await("two rows") { rows.size >= 2 }
        sampler.stop()

        rows.take(2).map { it.values[Metric.THREADS] } shouldContainExactly listOf(2.0, 4.0)
    }

    @Test
    fun `a listener that fails does not end the sampling`() {
        val probe = CountingProbe()
        val sampler = Sampler(probe, { 0.0 }, 1.milliseconds) { error("listener") }.start()
        await("three readings") { probe.asked.get() >= 3 }
        sampler.stop()
    }

    @Test
    fun `it reads at once, and after stop there are no more rows`() {
        val probe = CountingProbe()
        val sampler = Sampler(probe, { 0.0 }, 1.hours) { rows += it }.start()
        await("the first row") { rows.isNotEmpty() }

        sampler.stop()

        rows.shouldNotBeEmpty()
        probe.asked.get() shouldBe 1
        Thread.getAllStackTraces().keys.none { it.name == "sampler" && it.isAlive } shouldBe true
    }
}
