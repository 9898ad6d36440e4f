package bootdyno.subjects.work

import bootdyno.subjects.work.contract.ThreadDump
import bootdyno.subjects.work.contract.Work
import bootdyno.subjects.work.contract.WorkingThread
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic
import kotlin.time.measureTime

class BlockingWaitTest {
    @Test
    fun `the wait is not over before its time`() {
        measureTime { waitBlocking(Delay(20)) }.inWholeMilliseconds shouldBeGreaterThanOrEqual 20
    }

    @Test
    fun `a platform and a virtual thread are both seen in the wait`() {
        val threads =
            listOf(
                Thread.ofPlatform().name("platform one").start(::waitUntilInterrupted),
                Thread.ofVirtual().name("virtual one").start(::waitUntilInterrupted),
            )
        val deadline = Monotonic.markNow() + 20.seconds
        var seen = ThreadDump.threadsIn(Work.WAIT)
        while (seen.size < threads.size && deadline.hasNotPassedNow()) seen = ThreadDump.threadsIn(Work.WAIT)
        threads.forEach { it.interrupt() }
        threads.forEach { it.join() }

        seen shouldContainExactlyInAnyOrder
            listOf(WorkingThread("platform one", virtual = false), WorkingThread("virtual one", virtual = true))
    }

    private fun waitUntilInterrupted() {
        runCatching { waitBlocking(Delay(60_000)) }
    }
}
