package bootdyno.explain

import bootdyno.model.Change
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Occupied
import bootdyno.model.Stack
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class PredictionTest {
    private fun exactly(value: Double) = value..value

    private fun pool(units: Int, inUse: Double = units.toDouble(), waiting: Double = 0.0, id: String = "pool") =
        ResourceDemand(id, Units("HikariCP connections", "connection"), units, exactly(inUse), exactly(waiting))

    private fun threads(units: Int) =
        ResourceDemand("threads", Units("Tomcat threads", "thread"), units, exactly(0.0), isOuter = true)

    private fun cpu(cpus: Double, seconds: Double) = CpuDemand(cpus, exactly(seconds))

    private fun Demands.changed(units: Int, id: String = "pool") = after(Change.Setting("size", "$units"), id, units)

    private fun ratio(before: Demands, after: Demands) = predicted(before, after).shouldNotBeNull()

    @Test
    fun `twice the threads of a full pool serve twice the requests`() {
        val before = Demands(400, 400.0, listOf(cpu(1.0, 0.0001)), listOf(threads(200)))
        ratio(before, before.changed(400, "threads")).run {
            start shouldBe (2.0 plusOrMinus 0.01)
            endInclusive shouldBe (2.0 plusOrMinus 0.01)
        }
    }

    // 0.8 CPU at 398/s: 2.01 ms a request, 497/s on one CPU.
    @Test
    fun `a lifted pool is limited by the CPU`() {
        val before = Demands(400, 398.0, listOf(cpu(1.0, 0.8 / 398)), listOf(threads(200)))
        val after = before.changed(400, "threads")
        ratio(before, after).run {
            endInclusive * 398 shouldBe (497.5 plusOrMinus 0.1)
            start * 398 shouldBeGreaterThan 480.0
        }
        prediction(Change.Setting("server.tomcat.threads.max", "400"), before, after).shouldNotBeNull().sentence shouldBe
            "Predicted: 497 to 498/s, 1.25 times as many. The limit is then 1 CPU."
    }

    // The measured delay is 477 ms, shorter than the declared 500 ms of the next limit.
    @Test
    fun `no prediction is above what the next limit allows`() {
        val before = Demands(400, 399.0, listOf(cpu(1.0, 0.0001)), listOf(threads(190)))
        val after = before.changed(400, "threads")
        ratio(before, after).endInclusive * 399 shouldBe (840.0 plusOrMinus 1.0)
        prediction(Change.Setting("server.tomcat.threads.max", "400"), before, after, most = 800.0).shouldNotBeNull().run {
            high * 399 shouldBe (800.0 plusOrMinus 1e-6)
            sentence shouldContain "800/s, 2.01 times as many"
        }
    }

    // 10 connections for 5.3 ms serve 1,887/s; 200 threads for 100 ms serve 2,000/s: 11 requests wait.
    @Test
    fun `more threads do not help where a pool inside is full`() {
        val before = Demands(400, 10 / 0.0053, listOf(cpu(4.0, 0.0001)), listOf(threads(200), pool(10, waiting = 11.0)))
        ratio(before, before.changed(400, "threads")).run {
            start shouldBeGreaterThan 0.99
            endInclusive shouldBe (1.0 plusOrMinus 1e-6)
        }
        prediction(Change.Cpus(1.0), before, before.changed(400, "threads")).shouldNotBeNull().run {
            low shouldBe 1.0
            sentence shouldBe "Predicted: 1,890/s, no more than now. The limit is then 10 HikariCP connections."
        }
    }

    @Test
    fun `a larger pool inside helps up to the threads around it`() {
        val before = Demands(400, 10 / 0.0053, listOf(cpu(4.0, 0.0001)), listOf(threads(200), pool(10, waiting = 11.3)))
        val after = before.changed(20)
        ratio(before, after).endInclusive shouldBe (2000 * 0.00053 plusOrMinus 0.01)
        prediction(Change.Cpus(1.0), before, after).shouldNotBeNull().sentence.substringAfter(". ") shouldBe
            "The limit is then 200 Tomcat threads."
    }

    @Test
    fun `the slower of two pools in series stays`() {
        val before = Demands(100, 100.0, emptyList(), listOf(pool(10, waiting = 82.0), pool(50, inUse = 8.0, id = "other")))
        ratio(before, before.changed(50, "other")).endInclusive shouldBe (1.0 plusOrMinus 1e-6)
        // 20 / 0.1 s = 200/s.
        ratio(before, before.changed(20)).run {
            start shouldBe (2.0 plusOrMinus 0.02)
            endInclusive shouldBe (2.0 plusOrMinus 1e-6)
        }
    }

    @Test
    fun `waits of equal length and exponential ones are the two ends where queues begin`() {
        // 25 connections, each for 100 ms: half of 50 requests wait for one, or none does.
        val before = Demands(50, 250.0, emptyList(), listOf(pool(25, waiting = 25.0)))
        val after = before.changed(50)
        ratio(before, after).endInclusive shouldBe (2.0 plusOrMinus 1e-6)
        val knee = Demands(50, 250.0, emptyList(), listOf(pool(25, waiting = 0.0)))
        ratio(knee, knee.changed(26)).run {
            start shouldBeLessThan 0.98
            endInclusive shouldBe (1.0 plusOrMinus 0.01)
        }
    }

    @Test
    fun `more CPUs serve more where the CPU is busy, as far as a lone request tells`() {
        val busy = Demands(400, 9900.0, listOf(cpu(1.0, 0.0001)), aloneSeconds = 0.001)
        ratio(busy, busy.after(Change.Cpus(2.0))).run {
            start shouldBe (2.02 plusOrMinus 0.02)
            endInclusive shouldBe (2.02 plusOrMinus 0.02)
        }
        // Unknown: all between a delay that takes the rest of the time, and none.
        ratio(busy.copy(aloneSeconds = null), busy.copy(aloneSeconds = null).after(Change.Cpus(2.0))).start shouldBeLessThan 1.5
    }

    // Four clients, 3 ms of CPU time and 10 ms of waiting: 252.47/s.
    @Test
    fun `before saturation the queue at the CPU is part of the response time`() {
        val before = Demands(4, 252.474, listOf(cpu(1.0, 0.003)))
        val eight = ratio(before, before.after(Change.Connections(8)))
        eight.start * 252.474 shouldBe (329.0 plusOrMinus 2.0)
        eight.endInclusive * 252.474 shouldBe (333.3 plusOrMinus 0.1)
    }

    @Test
    fun `uncertain inputs widen the prediction`() {
        val sure = Demands(400, 398.0, listOf(cpu(1.0, 0.002)), listOf(threads(200)))
        val unsure = sure.copy(processors = listOf(CpuDemand(1.0, 0.0015..0.0022)))
        val narrow = ratio(sure, sure.changed(400, "threads"))
        val wide = ratio(unsure, unsure.changed(400, "threads"))
        wide.start shouldBeLessThan narrow.start
        wide.endInclusive shouldBe (1 / 0.0015 / 398 plusOrMinus 1e-3)
    }

    @Test
    fun `of a busy CPU the use is uncertain, not the time per request, which varies with the throughput`() {
        val cell = cell(Stack.NETTY, Occupied.NOTHING, holds = null)
        val analysis = analysed(cell, Measured(9000.0, 44.0, minMs = 0.3, cpus = 0.99).trial(cell))
        val sure = evidence(analysis, analysis.cells.single()).shouldNotBeNull()
        fun seconds(measure: Measure, estimate: Estimate): Possible {
            val measured = sure.copy(resources = sure.resources + (measure to estimate))
            return demands(measured, emptyList()).shouldNotBeNull().processors.single().seconds
        }
        seconds(Measure.CPU_PER_REQUEST, Estimate(110e-6, Interval(80e-6, 150e-6), 3)).run {
            start shouldBe (110e-6 plusOrMinus 1e-9)
            endInclusive shouldBe start
        }
        seconds(Measure.CPU, Estimate(0.8, Interval(0.72, 0.88), 3)).run {
            start shouldBe (99e-6 plusOrMinus 1e-9)
            endInclusive shouldBe (121e-6 plusOrMinus 1e-9)
        }
    }

    // 2 CPUs at 9,000/s: 111 µs a request is half of them.
    @Test
    fun `of CPUs that the database uses by less than half, the time per request is an upper bound`() {
        val cell = cell(Stack.NETTY, Occupied.NOTHING, holds = null)
        val analysis = analysed(cell, Measured(9000.0, 44.0, cpus = 0.99).trial(cell))
        val evidence = evidence(analysis, analysis.cells.single()).shouldNotBeNull()
        fun seconds(perRequest: Double): Possible {
            val setup = evidence.setup.run { copy(seen = seen.copy(database = DatabaseCpu(2.0, perRequest))) }
            return demands(evidence.copy(setup = setup), emptyList()).shouldNotBeNull().processors.last().seconds
        }
        seconds(100e-6) shouldBe 0.0..100e-6
        seconds(120e-6) shouldBe exactly(120e-6)
    }

    // 0.8 CPU at 398/s, half of it the compiler's: 1 ms a request. With the compiler 0.6 CPU is left, without it 1.
    @Test
    fun `a compiler takes CPU time from requests, but no more from more requests`() {
        val before = Demands(1000, 398.0, listOf(CpuDemand(1.0, exactly(0.4 / 398), taken = 0.4)), listOf(threads(200)))
        ratio(before, before.changed(1000, "threads")).run {
            start shouldBe (1.5 plusOrMinus 0.03)
            endInclusive shouldBe (2.5 plusOrMinus 0.01)
        }
    }

    @Test
    fun `nothing is predicted without throughput`() {
        val nothing = Demands(400, 0.0, emptyList())
        predicted(nothing, nothing).shouldBeNull()
    }

    // 0.6 of the time for collections; at most 0.3 of it is left: between 1 / 0.7 and 1 / 0.4 of the throughput.
    @Test
    fun `twice the heap at least halves the collector's time`() {
        predictionOfHeap(Change.JvmFlag("-Xmx128m"), 100.0, 0.6).run {
            low shouldBe (1.4286 plusOrMinus 1e-4)
            high shouldBe (2.5 plusOrMinus 1e-9)
            sentence shouldBe "Predicted: 143 to 250/s, 1.43 to 2.5 times as many. " +
                "The garbage collector then runs half as often or less."
        }
    }

    @Test
    fun `a change of something unknown has no prediction`() {
        val before = Demands(400, 400.0, listOf(cpu(1.0, 0.0001)), listOf(threads(200)))
        prediction(
            Change.Setting("spring.threads.virtual.enabled", "true"),
            before,
            before.changed(400, "event loops"),
        ).shouldBeNull()
    }

    @Test
    fun `advice for a built-in cell carries its change and the prediction`() {
        val cell = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD)
        val threads = explained(cell, Measured(398.0, 1005.0, cpus = 0.8)).next?.prediction.shouldNotBeNull()
        threads.change shouldBe Change.Setting("server.tomcat.threads.max", "400")
        threads.high * 398 shouldBe (497.5 plusOrMinus 0.1)

        val compiling = Measured(398.0, 1005.0, cpus = 0.8, metrics = mapOf(Metric.COMPILER_CPU to 0.4))
        explained(cell, compiling).next?.prediction.shouldNotBeNull().high shouldBeGreaterThan 1.9

        val io = cell(Stack.TOMCAT, Occupied.DISPATCHERS_IO)
        explained(io, Measured(127.0, 3150.0, cpus = 0.1)).next?.prediction.shouldNotBeNull().run {
            change shouldBe Change.JvmFlag("-Dkotlinx.coroutines.io.parallelism=400")
            high shouldBe (800 / 127.0 plusOrMinus 0.05)
            low shouldBeGreaterThan 5.0
        }

        val clients = cell(Stack.NETTY, Occupied.NOTHING)
        explained(clients, Measured(790.0, 506.0, cpus = 0.2)).next?.prediction.shouldNotBeNull().run {
            change shouldBe Change.Connections(800)
            low shouldBe (2.0 plusOrMinus 0.02)
        }

        val cpu = cell(Stack.NETTY, Occupied.NOTHING, holds = null)
        explained(cpu, Measured(9000.0, 44.0, minMs = 0.3, cpus = 0.99)).next?.prediction.shouldNotBeNull().run {
            change shouldBe Change.Cpus(2.0)
            high shouldBe (2.0 / 0.99 plusOrMinus 0.01)
        }
    }

    @Test
    fun `open load has no prediction`() {
        val open = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, load = LoadProfile.Open(300.0))
        explained(open, Measured(300.0, 501.0, cpus = 0.1)).next?.prediction.shouldBeNull()
    }
}
