package bootdyno.subjects.work

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.SECONDS

class CachedPoolTest {
    @Test
    fun `three hundred tasks wait at once on as many daemon threads`() {
        val allWait = CountDownLatch(300)
        val tasks =
            List(300) {
                cachedPool.submit<Thread> {
                    allWait.countDown()
                    check(allWait.await(20, SECONDS)) { "the pool stopped growing with ${allWait.count} tasks to come" }
                    Thread.currentThread()
                }
            }
        val threads = tasks.map { it.get() }.toSet()

        threads shouldHaveSize 300
        threads.all { it.isDaemon && !it.isVirtual && it.name.startsWith("cached-pool-") } shouldBe true
    }
}
