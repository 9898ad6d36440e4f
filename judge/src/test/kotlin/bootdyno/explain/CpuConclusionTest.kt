package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.BeanReading
import bootdyno.model.Bytes
import bootdyno.model.Frame
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.ThreadCpu
import bootdyno.occupancy.Doing
import bootdyno.occupancy.Resource
import bootdyno.occupancy.Spinning
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

/** Conclusions about the CPU and the heap. */
class CpuConclusionTest {
    @Test
    fun `event loops that compute are no demand beside that for the CPU`() {
        val computing = activity(Doing.RUNNING, 1.0, null)
        val loops = resource(ResourceKind.EVENT_LOOPS, "threads of reactor-http-epoll", 4, inUse = 1, waiting = 0, computing)
        fun predicted(vararg resources: Resource) =
            concluded(100, 98.9, 0.5, resources.toList())?.advice?.prediction.shouldNotBeNull()
        predicted(hikari, loops) shouldBe predicted(hikari)
    }

    @Test
    fun `requests that do something else are in no queue of a thread that computes beside them`() {
        val beside = workers("threads of statistics", 1, activity(Doing.RUNNING, 1.0, FIND))
        fun seen(doing: Doing) = occupancy(listOf(beside), listOf(activity(doing, 1.0, FIND)), 100)
        fun limit(doing: Doing) = concluded(100, 199.0, 0.9, seen(doing), NOT_DIAGNOSED, alone = 0.5)?.limit?.text
        limit(Doing.SLEEPING) shouldBe "100 client connections"
        limit(Doing.AWAITING_RESULT) shouldBe "1 thread of statistics"
    }

    @Test
    fun `a thread that computes beside requests is not the next limit, and its CPU time is not theirs`() {
        val threads = listOf(ThreadCpu("statistics", 1, 0.9, 0.9), ThreadCpu("http-nio-8080-e", 100, 0.09, 0.01))
        val beside = workers("threads of statistics", 1, activity(Doing.RUNNING, 1.0, FIND)).copy(id = "statistics")
        val seen = occupancy(
            listOf(beside),
            listOf(activity(Doing.SLEEPING, 1.0, FIND)),
            100,
        ).copy(computing = mapOf("statistics" to FIND))
        val conclusion = concluded(100, 199.0, 0.99, seen, NOT_DIAGNOSED.copy(threadCpu = threads), alone = 0.5)
        conclusion?.advice?.prediction.shouldNotBeNull().run {
            high shouldBe (2.0 plusOrMinus 0.05)
            sentence shouldContain "The limit is then 200 client connections."
        }
    }

    @Test
    fun `threads that compute fill any pool where the CPU is not observed`() {
        fun blamed(doing: Doing) = observed(
            400,
            Measured(100.0, meanMs = 4000.0, cpus = 0.1),
            occupancy(listOf(tomcat(inUse = 200, activity(doing, 1.0, FIND))), emptyList(), requests = 200),
            NOT_DIAGNOSED,
            1.0,
        ).mayBeFullOfComputing
        blamed(Doing.RUNNING) shouldBe true
        blamed(Doing.SLEEPING) shouldBe false
    }

    @Test
    fun `before saturation requests wait for the CPU as mean value analysis predicts`() {
        // 3 ms CPU and 10 ms waiting, 4 connections, 1 CPU: exactly 273/s, 82 % of the CPU's 333/s.
        val measured = Measured(273.0, meanMs = 4 / 0.273, minMs = 13.0, cpus = 0.82, cpuPerRequest = 0.003)
        val nothing = occupancy(emptyList(), listOf(activity(Doing.SLEEPING, 0.7, FIND)), 4)
        val conclusion = conclusion(observed(4, measured, nothing, NOT_DIAGNOSED, 1.0))
        conclusion?.limit?.text shouldBe "4 client connections"
        conclusion?.measured shouldContain "nothing is full"
    }

    @Test
    fun `a full CPU explains nothing where most requests wait for something else`() {
        // 0.4 ms CPU, 100 connections, 1 CPU: full at 2,500/s whatever they wait for.
        val measured = Measured(2300.0, meanMs = 100 / 2.3, minMs = 0.5, cpus = 0.92, cpuPerRequest = 0.0004)
        fun limit(doing: Doing) = conclusion(
            observed(100, measured, occupancy(emptyList(), listOf(activity(doing, 1.0, FIND)), 100), NOT_DIAGNOSED, 1.0),
        )?.limit?.text
        limit(Doing.RUNNING) shouldBe "100 client connections"
        limit(Doing.FILE) shouldBe null
    }

    @Test
    fun `where waiting for the CPU costs next to nothing, the clients wait for their responses`() {
        // 0.7 ms CPU and 499.3 ms waiting, 400 connections: 798/s of 800/s.
        val measured = Measured(798.0, meanMs = 501.2, minMs = 500.0, cpus = 0.56, cpuPerRequest = 0.0007)
        val nothing = occupancy(emptyList(), listOf(activity(Doing.SLEEPING, 1.0, FIND)), 400)
        conclusion(observed(400, measured, nothing, NOT_DIAGNOSED, 1.0))?.measured shouldContain
            "The application could serve more"
    }

    @Test
    fun `a thread that computes without pause is the limit while other CPUs are idle`() {
        val threads = listOf(ThreadCpu("C2 CompilerThre", 1, 1.0, 1.0), ThreadCpu("pricing-", 1, 0.98, 0.98))
        val busy = NOT_DIAGNOSED.copy(threadCpu = threads)
        concluded(50, 40.0, 1.05, occupancy(emptyList(), emptyList(), 0), busy, alone = 0.02, cpus = 2.0)?.limit?.text shouldBe
            "1 thread of pricing-"
    }

    @Test
    fun `a thread that computes is no limit of requests that take as long as without load`() {
        val busy = NOT_DIAGNOSED.copy(threadCpu = listOf(ThreadCpu("statistics", 1, 0.98, 0.98)))
        concluded(50, 100.0, 1.05, occupancy(emptyList(), emptyList(), 0), busy, alone = 0.5, cpus = 2.0)?.limit?.text shouldBe
            "50 client connections"
    }

    @Test
    fun `a thread that computes beside requests is no limit of those that do not wait for its results`() {
        val busy = NOT_DIAGNOSED.copy(threadCpu = listOf(ThreadCpu("statistics", 1, 0.98, 0.98)))
        fun limit(doing: Doing): String? {
            val seen = occupancy(emptyList(), listOf(activity(doing, 1.0, FIND)), 50)
            val beside = seen.copy(computing = mapOf("statistics" to FIND))
            return concluded(50, 40.0, 1.05, beside, busy, alone = 0.02, cpus = 2.0)?.limit?.text
        }
        limit(Doing.SLEEPING) shouldBe null
        limit(Doing.AWAITING_RESULT) shouldBe "1 thread of statistics"
    }

    @Test
    fun `requests that ask again and again keep the CPU busy, and their number is the limit`() {
        fun busyWaiting(share: Double, caller: Frame, cpus: Double = 0.93, perSecond: Double = 156.0): Conclusion? {
            val measured = Measured(perSecond, meanMs = 640.0, minMs = 51.0, cpus = cpus)
            val seen = occupancy(emptyList(), emptyList(), 100).copy(spinning = Spinning(share, caller, FIND))
            return busyWaiting(observed(100, measured, seen, NOT_DIAGNOSED, 1.0))
        }
        busyWaiting(0.9, FIND)?.run { "$limit: $measured" } shouldBe
            "busy waiting in Orders.find: 156/s: 90 % of the requests ask there again and again (`Thread.yield`), " +
            "0.93 of 1 CPU used. About 8 are served at a time (156/s × 51 ms without load)."
        busyWaiting(0.9, Frame("com.zaxxer.hikari.util.ConcurrentBag", "requite"))?.advice?.change shouldContain
            "Update HikariCP to 7.1.0 or later"
        busyWaiting(0.1, FIND) shouldBe null
        busyWaiting(0.1, FIND, perSecond = 0.0)?.limit?.text shouldBe "busy waiting in Orders.find"
        busyWaiting(0.9, FIND, cpus = 0.3) shouldBe null
    }

    @Test
    fun `a heap too small for what it holds is the limit, whatever is full`() {
        val memory = BeanReading(0.0, "java.lang:type=Memory", mapOf("HeapMemoryUsage.max" to 64.0 * Bytes.MIB))
        val heap = NOT_DIAGNOSED.copy(beans = listOf(memory))
        val measured = Measured(50.0, meanMs = 2000.0, cpus = 0.9, resources = mapOf(Measure.GC to 0.7))
        val observed = observed(100, measured, occupancy(listOf(hikari), emptyList(), 100), heap, 1.0)
        collectorBusy(observed)?.limit?.text shouldBe "Heap of 64 MiB"
        collectorBusy(observed)?.advice?.change shouldBe "Start with -Xmx128m"
        collectorBusy(observed)?.advice?.prediction?.high shouldBe (3.33 plusOrMinus 0.01)
        val open = observed(100, measured, observed.occupancy, heap, 1.0, load = LoadProfile.Open(50.0))
        collectorBusy(open)?.advice?.run { change to prediction } shouldBe ("Start with -Xmx128m" to null)
    }

    // The kernel would end it.
    @Test
    fun `twice the heap is no change that can be measured where the memory limit does not hold it`() {
        val memory = BeanReading(0.0, "java.lang:type=Memory", mapOf("HeapMemoryUsage.max" to 384.0 * Bytes.MIB))
        val measured = Measured(50.0, meanMs = 2000.0, cpus = 0.9, resources = mapOf(Measure.GC to 0.7))
        val diagnosis = NOT_DIAGNOSED.copy(beans = listOf(memory))
        val seen = observed(100, measured, occupancy(emptyList(), emptyList(), 100), diagnosis, 1.0)
        fun advice(limit: Long): Advice? {
            val cell = seen.setup.cell.run { copy(limits = limits.copy(memory = Bytes(limit * Bytes.MIB))) }
            val evidence = seen.evidence.copy(setup = seen.setup.copy(cell = cell))
            return collectorBusy(Observed(evidence, seen.diagnosis, seen.occupancy))?.advice
        }
        advice(512)?.run { change to prediction } shouldBe
            ("Start with -Xmx768m, and with more than 512 MiB of memory" to null)
        advice(1024)?.change shouldBe "Start with -Xmx768m"
    }

    @Test
    fun `the CPU time of a request on a nearly idle CPU is an upper bound`() {
        val full = occupancy(listOf(hikari), emptyList(), 100)
        fun predicted(cpus: Double) = checkNotNull(
            conclusion(observed(100, Measured(100.0, 1000.0, 100.0, cpus, cpuPerRequest = 0.009), full, NOT_DIAGNOSED, 1.0))
                ?.advice?.prediction,
        )
        predicted(cpus = 0.9).high shouldBe (1.11 plusOrMinus 0.01)
        predicted(cpus = 0.2).high shouldBe (2.0 plusOrMinus 0.01)
        predicted(cpus = 0.2).low shouldBe predicted(cpus = 0.9).low
    }
}
