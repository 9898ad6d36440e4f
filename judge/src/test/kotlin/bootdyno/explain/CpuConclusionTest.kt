package bootdyno.explain

import bootdyno.analyse.limitsFound
import bootdyno.analyse.recorded
import bootdyno.catalogue.ResourceKind
import bootdyno.model.BeanReading
import bootdyno.model.Bytes
import bootdyno.model.Change
import bootdyno.model.DatabaseFound
import bootdyno.model.Frame
import bootdyno.model.LoadProfile
import bootdyno.model.Metric
import bootdyno.model.Occupied
import bootdyno.model.Stack
import bootdyno.model.ThreadCpu
import bootdyno.occupancy.Doing
import bootdyno.occupancy.Resource
import bootdyno.occupancy.Spinning
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
        fun limit(doing: Doing) = concluded(100, 199.0, 0.9, seen(doing), NOT_DIAGNOSED, alone = 0.5, cpus = 2.0)?.limit?.text
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
        val measured = Measured(199.0, meanMs = 502.0, cpus = 0.99)
        val single = List(3) { 0.5 }
        val conclusion = conclusion(observed(100, measured, seen, NOT_DIAGNOSED.copy(threadCpu = threads), single = single))
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
        ).mayBeFullOfComputing
        blamed(Doing.RUNNING) shouldBe true
        blamed(Doing.SLEEPING) shouldBe false
    }

    @Test
    fun `before saturation requests wait for the CPU as mean value analysis predicts`() {
        // 3 ms CPU and 10 ms waiting, 4 connections, 1 CPU: exactly 273/s, 82 % of the CPU's 333/s.
        val measured = Measured(273.0, meanMs = 4 / 0.273, minMs = 13.0, cpus = 0.82)
        val nothing = occupancy(emptyList(), listOf(activity(Doing.SLEEPING, 0.7, FIND)), 4)
        val conclusion = conclusion(observed(4, measured, nothing))
        conclusion?.limit?.text shouldBe "4 client connections"
        conclusion?.measured shouldContain "nothing is full"
    }

    @Test
    fun `a full CPU explains nothing where most requests wait for something else`() {
        // 0.4 ms CPU, 100 connections, 1 CPU: full at 2,500/s whatever they wait for.
        val measured = Measured(2300.0, meanMs = 100 / 2.3, minMs = 0.5, cpus = 0.92)
        fun limit(doing: Doing) =
            conclusion(observed(100, measured, occupancy(emptyList(), listOf(activity(doing, 1.0, FIND)), 100)))?.limit?.text
        limit(Doing.RUNNING) shouldBe "100 client connections"
        limit(Doing.FILE) shouldBe null
    }

    @Test
    fun `where waiting for the CPU costs next to nothing, the clients wait for their responses`() {
        // 0.7 ms CPU and 499.3 ms waiting, 400 connections: 798/s of 800/s.
        val measured = Measured(798.0, meanMs = 501.2, minMs = 500.0, cpus = 0.56)
        val nothing = occupancy(emptyList(), listOf(activity(Doing.SLEEPING, 1.0, FIND)), 400)
        conclusion(observed(400, measured, nothing))?.measured shouldContain "The application could serve more"
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
            return busyWaiting(observed(100, measured, seen))
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
        val measured = Measured(50.0, meanMs = 2000.0, cpus = 0.9, metrics = mapOf(Metric.GC_TIME to 0.7))
        val observed = observed(100, measured, occupancy(listOf(hikari), emptyList(), 100), heap)
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
        val measured = Measured(50.0, meanMs = 2000.0, cpus = 0.9, metrics = mapOf(Metric.GC_TIME to 0.7))
        val diagnosis = NOT_DIAGNOSED.copy(beans = listOf(memory))
        val seen = observed(100, measured, occupancy(emptyList(), emptyList(), 100), diagnosis, 1.0)
        fun advice(limit: Long): Advice? {
            val cell = seen.setup.cell.run { copy(limits = limits.copy(memory = Bytes(limit * Bytes.MIB))) }
            val evidence = seen.evidence.copy(setup = seen.setup.copy(cell = cell))
            return collectorBusy(Observed(evidence, seen.occupancy))?.advice
        }
        advice(512)?.run { change to prediction } shouldBe
            ("Start with -Xmx768m, and with more than 512 MiB of memory" to null)
        advice(1024)?.change shouldBe "Start with -Xmx768m"
    }

    @Test
    fun `the CPU time of a request on a nearly idle CPU is an upper bound`() {
        val full = occupancy(listOf(hikari), emptyList(), 100)
        val change = Change.Setting("size", "100")
        fun predicted(cpus: Double) =
            observed(100, Measured(100.0, 1000.0, 100.0, cpus), full).advice(change, hikari, 100).prediction.shouldNotBeNull()
        // 9 ms, and at most 2 ms.
        predicted(cpus = 0.9).high shouldBe (1.11 plusOrMinus 0.01)
        predicted(cpus = 0.2).high shouldBe (10.0 plusOrMinus 0.1)
        predicted(cpus = 0.2).low shouldBe (5.0 plusOrMinus 0.1)
    }

    @Test
    fun `a busy CPU binds whatever the pools allow`() {
        val noop = cell(Stack.NETTY, Occupied.NOTHING, holds = null)
        // 0.99 CPUs / 28,300/s = 35 µs
        val explanation = explained(noop, Measured(28_300.0, meanMs = 14.1, minMs = 0.2, cpus = 0.99))
        explanation.bottleneck?.sentence shouldBe
            "1 CPU: 1 CPU ÷ 35 µs of CPU time = 28,600/s (measured 28,300/s), 0.99 of 1 CPU used."
        explanation.next?.sentence shouldBe
            "Use 2 CPUs. The limit is then 2 CPUs ÷ 35 µs of CPU time = 57,200/s, if the work spreads evenly."
    }

    @Test
    fun `a database whose CPU is busy binds, counting what the load generator and the application take of it`() {
        val cell = cell(Stack.TOMCAT, Occupied.NOTHING, holds = null, load = LoadProfile.Closed(10))

        // 4,000/s after 2.5 ms each: 10 at a time. The generator uses 0.1 CPUs for them: 25 µs each.
        fun on(engineCpus: String, databaseCpus: String = "0", ofDatabase: Double = 0.9): CellExplanation {
            val used = mapOf(Metric.SERVICES_CPU to ofDatabase)
            val trial = Measured(4000.0, meanMs = 2.5, cpus = 0.6, metrics = used).trial(cell).recorded {
                copy(
                    limits = limitsFound(engineCpuList = engineCpus),
                    database = DatabaseFound("18.1", "127.0.0.1:5432/postgres", 8, databaseCpus, emptyMap(), 1.0, 0.1),
                )
            }
            return explained(cell, trial)
        }
        val shared = on("0")
        shared.bottleneck?.sentence shouldBe
            "1 CPU of the database and the load generator: 1 CPU ÷ 250 µs of CPU time = 4,000/s (measured 4,000/s)."
        shared.next?.sentence shouldBe
            "Use 2 CPUs. The limit is then 2 CPUs of the database and the load generator ÷ 250 µs of CPU time = 8,000/s, " +
            "if the work spreads evenly."
        on("2", ofDatabase = 0.92).bottleneck?.sentence shouldBe
            "1 CPU of the database: 1 CPU ÷ 230 µs of CPU time = 4,350/s (measured 4,000/s)."
        on("0-1", databaseCpus = "0-1", ofDatabase = 1.3).bottleneck?.sentence shouldBe
            "2 CPUs of the database, the load generator and the application: 2 CPUs ÷ 500 µs of CPU time = 4,000/s (measured 4,000/s)."
    }

    @Test
    fun `the sentence of a busy CPU says what it was spent on`() {
        val noop = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, holds = null)
        val used = mapOf(
            Metric.COMPILER_CPU to 0.25,
            Metric.GC_TIME to 0.05,
            Metric.RUNNABLE to 180.0,
            Metric.VOLUNTARY_SWITCHES to 112.5,
            Metric.INVOLUNTARY_SWITCHES to 37.5,
        )
        // 0.25 compiling and 0.05 / 1 collecting leave 0.7.
        val trial = Measured(300.0, cpus = 1.0, metrics = used).trial(noop).recorded { copy(limits = limitsFound()) }
        explained(noop, trial).bottleneck?.sentence shouldBe
            "1 CPU: 1 CPU ÷ 3.33 ms of CPU time = 300/s (measured 300/s), 1 of 1 CPU used. CPU time: 70 % application, " +
            "25 % JIT compiler, 5.0 % garbage collector. " +
            "180 runnable threads per CPU, 0.5 context switches per request (0.125 involuntary)."
    }

    @Test
    fun `a busy CPU is not the limit where requests take as long as a single one`() {
        val measured = Measured(780.0, meanMs = 512.0, cpus = 0.98, metrics = mapOf(Metric.COMPILER_CPU to 0.45))
        val cell = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, settings = mapOf(VIRTUAL to "true"))
        explained(cell, measured).bottleneck?.limit?.text shouldBe "400 client connections"
    }

    @Test
    fun `a CPU that the JIT compiler keeps busy is not called the limit`() {
        val measured = Measured(300.0, cpus = 0.98, metrics = mapOf(Metric.COMPILER_CPU to 0.45))
        val explanation = explained(cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, holds = null), measured)
        explanation.bottleneck shouldBe null
        explanation.missing shouldBe "The limit is not decided: 0.98 of 1 CPU used, 46 % of this by the JIT compiler. " +
            "Warm up longer, and measure again."
    }

    @Test
    fun `a CPU that other processes keep busy is not called the limit, nor is anything else`() {
        // Of four CPUs, the machine uses 2.08: the application 0.68, the load generator 0.2, and others the rest.
        val others = mapOf(Metric.MACHINE_CPU to 2.08, Metric.ENGINE_CPU to 0.2)
        val busy = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, holds = null)
        val explanation = explained(busy, Measured(300.0, cpus = 0.68, metrics = others))
        explanation.bottleneck shouldBe null
        explanation.missing shouldBe
            "The limit is not decided: 0.68 of 1 CPU used, and other processes used 30 % of each CPU. Stop them, and measure again."
        // Requests that take as long as a single one wait for no CPU.
        val waiting = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, settings = mapOf(VIRTUAL to "true"))
        explained(waiting, Measured(780.0, meanMs = 512.0, cpus = 0.68, metrics = others)).bottleneck?.limit?.text shouldBe
            "400 client connections"
    }

    @Test
    fun `a quota says how often it stopped a busy subject`() {
        val quota = mapOf(Metric.THROTTLED_PERIODS to 9.8, Metric.PERIODS to 10.0, Metric.THROTTLED to 3.2)
        explained(cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, holds = null), Measured(300.0, cpus = 1.0, metrics = quota))
            .bottleneck?.sentence shouldBe
            "1 CPU: 1 CPU ÷ 3.33 ms of CPU time = 300/s (measured 300/s), 1 of 1 CPU used. " +
            "The CPU quota stopped it in 98 % of the periods, 3.2 s of thread time per second."
    }
}
