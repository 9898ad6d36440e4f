package bootdyno.explain

import bootdyno.analyse.quietMachine
import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
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

    private fun measured(cpus: Double = 0.4, overflows: Double = 12_345.0, connectMs: Double? = 3100.0) = Measured(
        perSecond = 5000.0,
        cpus = cpus,
        resources = mapOf(Measure.LISTEN_OVERFLOWS to overflows),
        connectP99Ms = connectMs,
    )

    private fun why(cell: Cell, measured: Measured, somaxconn: Long? = 4096) =
        explain(analysis(cell, measured, environment = quietMachine.copy(somaxconn = somaxconn))).single()

    @Test
    fun `a queue that kept users away while the CPU had time is what binds`() {
        val explained = why(tomcat(), measured())
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
        val bottleneck = why(tomcat(), measured(cpus = 1.0)).bottleneck.shouldNotBeNull()
        bottleneck.limit.text shouldBe "1 CPU"
        bottleneck.sentence shouldContain "The accept queue of 100 (default) overflowed"
    }

    @Test
    fun `overflows that kept hardly anybody waiting are no explanation`() {
        why(tomcat(), measured(connectMs = 12.0)).bottleneck shouldBe null
        why(tomcat(), measured(overflows = 50.0, connectMs = null)).bottleneck shouldBe null
        why(tomcat(), measured(overflows = 500.0, connectMs = null)).bottleneck.shouldNotBeNull()
        why(tomcat(load = LoadProfile.Closed(400)), measured()).bottleneck?.limit?.text.orEmpty() shouldNotContain "queue"
    }

    @Test
    fun `a queue is as long as asked for, and no longer than the kernel allows`() {
        val asked = "server.tomcat.accept-count" to "10000"
        why(tomcat(asked), measured()).bottleneck.shouldNotBeNull().sentence shouldContain
            "accept queue of 4,096 (server.tomcat.accept-count, cut by net.core.somaxconn)"
        why(tomcat(asked), measured(), somaxconn = 20_000).let {
            it.bottleneck.shouldNotBeNull().limit.text shouldBe "accept queue of 10,000"
            it.next shouldBe null
        }
        val netty = cell(Stack.NETTY, Occupied.REQUEST_THREAD, load = burst, holds = null)
        why(netty, measured()).let {
            it.bottleneck.shouldNotBeNull().limit.text shouldBe "accept queue of 4,096"
            it.next.shouldNotBeNull().sentence shouldContain "Set net.core.somaxconn to 10000"
        }
        why(cell(Stack.UNKNOWN, null, load = burst, holds = null), measured()).bottleneck.shouldNotBeNull().limit.text shouldBe
            "accept queue"
    }
}
