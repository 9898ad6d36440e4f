package bootdyno.explain

import bootdyno.analyse.WINDOW_SECONDS
import bootdyno.analyse.quietMachine
import bootdyno.analyse.seen
import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Metric
import bootdyno.model.Occupied
import bootdyno.model.Stack
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class AcceptQueueTest {
    private val burst = LoadProfile.Burst(10_000, 100)

    private fun tomcat(vararg settings: Pair<String, String>, load: LoadProfile = burst) =
        cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, mapOf(*settings), load = load, holds = null)

    /** Overflows of the whole window, and the time in which every connection opens; null is not measured. */
    private fun why(
        cell: Cell,
        cpus: Double = 0.4,
        overflows: Double = 12_345.0,
        connectMs: Long? = 3100,
        somaxconn: Long = 4096,
    ): CellExplanation {
        val overflowing = mapOf(Metric.LISTEN_OVERFLOWS to overflows / WINDOW_SECONDS)
        val trial = Measured(5000.0, meanMs = 10.0, cpus = cpus, metrics = overflowing).trial(cell)
        val latencies = trial.latencies?.copy(connect = connectMs?.let { seen(it) })
        return explained(cell, trial.copy(latencies = latencies), quietMachine.copy(somaxconn = somaxconn))
    }

    @Test
    fun `a queue that kept users away while the CPU had time is what binds`() {
        val explained = why(tomcat())
        val bottleneck = explained.bottleneck.shouldNotBeNull()
        bottleneck.limit.text shouldBe "accept queue of 100"
        bottleneck.sentence shouldBe
            "accept queue of 100: 5,000/s, 0.4 of 1 CPU used. The accept queue of 100 (default) overflowed " +
            "12,345 times a trial. " +
            "Linux dropped these connection attempts; the client repeated each after 1 s, 3 s, 7 s and so on. " +
            "99 % of the connections were open after 3.1 s."
        explained.next?.sentence shouldBe
            "Set server.tomcat.accept-count to 10000 and net.core.somaxconn to 10000. All 10,000 users then fit in the queue."
    }

    @Test
    fun `a busy CPU binds first, and the queue is told beside it`() {
        val bottleneck = why(tomcat(), cpus = 1.0).bottleneck.shouldNotBeNull()
        bottleneck.limit.text shouldBe "1 CPU"
        bottleneck.sentence shouldContain "The accept queue of 100 (default) overflowed"
    }

    @Test
    fun `overflows that kept hardly anybody waiting are no explanation`() {
        why(tomcat(), connectMs = 12).bottleneck shouldBe null
        why(tomcat(), overflows = 50.0, connectMs = null).bottleneck shouldBe null
        why(tomcat(), overflows = 500.0, connectMs = null).bottleneck.shouldNotBeNull()
        why(tomcat(load = LoadProfile.Closed(400))).bottleneck?.limit?.text.orEmpty() shouldNotContain "queue"
    }

    @Test
    fun `a queue is as long as asked for, and no longer than the kernel allows`() {
        val asked = "server.tomcat.accept-count" to "10000"
        why(tomcat(asked)).bottleneck.shouldNotBeNull().sentence shouldContain
            "accept queue of 4,096 (server.tomcat.accept-count, cut by net.core.somaxconn)"
        why(tomcat(asked), somaxconn = 20_000).let {
            it.bottleneck.shouldNotBeNull().limit.text shouldBe "accept queue of 10,000"
            it.next shouldBe null
        }
        val netty = cell(Stack.NETTY, Occupied.REQUEST_THREAD, load = burst, holds = null)
        why(netty).let {
            it.bottleneck.shouldNotBeNull().limit.text shouldBe "accept queue of 4,096"
            it.next.shouldNotBeNull().sentence shouldContain "Set net.core.somaxconn to 10000"
        }
        why(cell(Stack.UNKNOWN, null, load = burst, holds = null)).bottleneck.shouldNotBeNull().limit.text shouldBe
            "accept queue"
    }
}
