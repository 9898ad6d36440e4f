package bootdyno.diagnose

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration

class CollectorTest {
    private val draft = DiagnosisDraft(0.0)

    @Test
    fun `a collector that only finishes is waited for a little longer, one that still reads is not`() {
        val never = CountDownLatch(1)
        val reads = Collector("what never ends") { never.await() }
        val reading = reads.start(draft)
        reads.ends(reading, Duration.ZERO) shouldBe false
        reading.interrupt()

        val waiting = Thread.currentThread()
        val fetched = CountDownLatch(1)
        val finishes = Collector("what is fetched") {
            isFinishing = true
            fetched.countDown()
            while (waiting.state != Thread.State.TIMED_WAITING) Thread.onSpinWait()
        }
        val finishing = finishes.start(draft)
        fetched.await()
        finishes.ends(finishing, Duration.ZERO) shouldBe true
    }
}
