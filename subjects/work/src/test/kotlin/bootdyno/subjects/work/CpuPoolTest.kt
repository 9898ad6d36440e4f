package bootdyno.subjects.work

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit.SECONDS

class CpuPoolTest {
    private val cpus = Runtime.getRuntime().availableProcessors()

    @Test
    fun `as many tasks as CPUs run at once on daemon threads, and no more`() {
        val allRun = CountDownLatch(cpus)
        val tasks =
            List(cpus) {
                cpuPool.submit<Thread> {
                    allRun.countDown()
                    check(allRun.await(20, SECONDS)) { "${allRun.count} of $cpus tasks have no thread" }
                    Thread.currentThread()
                }
            }
        val threads = tasks.map { it.get() }.toSet()

        threads shouldHaveSize cpus
        threads.all { it.isDaemon && !it.isVirtual && it.name.startsWith("cpu-pool-") } shouldBe true
        (cpuPool as ThreadPoolExecutor).maximumPoolSize shouldBe cpus
    }

    @Test
    fun `there are as many permits as CPUs`() {
        cpuPermits.availablePermits() shouldBe cpus
    }
}
