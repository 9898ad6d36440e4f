package bootdyno.run

import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.Ending
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

class WarmingTest {
    private val clock = ManualClock()
    private val parts = FakeParts(clock)

    @Test
    fun `it warms up until two spans in a row are steady`() {
        parts.c2 = listOf(3.0, 1.0, 0.0625, 0.0625)
        val warmUp = warmed(costly)

        warmUp.slices.map { it.c2CpuSeconds } shouldBe listOf(3.0, 1.0, 0.0625, 0.0625)
        warmUp.certified shouldBe true
        warmUp.slices.map { it.cheap }.distinct() shouldBe listOf(false)
    }

    @Test
    fun `a compiler that never ends spends the budget and is not certified`() {
        parts.c2 = listOf(2.0)
        val warmUp = warmed(costly)

        // Slices of 2.5 s and rests of 1 s in a budget of 30 s: the ninth would end at 30.5 s.
        warmUp.slices.size shouldBe 8
        warmUp.certified shouldBe false
    }

    @Test
    fun `it goes on while the heap grows`() {
        parts.heap = listOf(100, 110, 120, 121)
        val warmUp = warmed(costly, budget = 60.seconds)
        // 121 MiB is within 2 % of what was seen two slices before only after the fifth.
        warmUp.slices.map { it.heapCommitted?.count?.div(Bytes.MIB) } shouldBe listOf(100L, 110L, 120L, 121L, 121L)
        // The compiler had finished before.
        warmUp.steadyAfter.shouldNotBeNull() shouldBeLessThan warmUp.seconds / 2
    }

    @Test
    fun `it ends while the heap grows if there is little to collect`() {
        parts.heap = listOf(100, 110, 120, 130)
        parts.gcShare = 0.01
        warmed(costly).slices.size shouldBe 2
    }

    @Test
    fun `a heap that never stops growing spends the budget, and the compiler alone decides the certificate`() {
        parts.heap = List(20) { 100L + 10 * it }
        val warmUp = warmed(costly)
        warmUp.slices.size shouldBe 8
        warmUp.certified shouldBe true
    }

    @Test
    fun `an application that waits is certified after two slices, without rests, while the compiler goes on`() {
        parts.c2 = listOf(0.15)
        parts.cpu = listOf(0.4)
        parts.heap = List(20) { 100L + 10 * it }
        val warmUp = warmed(costly)
        warmUp.certified shouldBe true
        warmUp.seconds shouldBe 5.0
        warmUp.slices.map { it.cpuShare } shouldBe listOf(0.16, 0.16)
    }

    @Test
    fun `a compiler that waits for a CPU is not taken for a finished one`() {
        parts.c2 = listOf(0.0625)
        parts.c2Wait = listOf(2.0, 2.0, 2.0, 0.25, 0.25)
        val warmUp = warmed(costly, WayToWarm.SATURATE)
        warmUp.slices.map { it.c2WaitSeconds } shouldBe listOf(2.0, 2.0, 2.0, 0.25, 0.25)
        warmUp.certified shouldBe true
    }

    @Test
    fun `a repetition warms up for as long as it is told, beyond its budget too`() {
        warmed(costly, warmAtLeast = 20.seconds).seconds shouldBe 22.0
        warmed(costly, budget = 10.seconds, warmAtLeast = 20.seconds).slices.size shouldBe 6
        // Three of cheap requests take 6 s, each of the measured work 4 s: of cheap ones no more is compiled.
        parts.mayFavour = true
        warmed(costlyWithCheap, warmAtLeast = 20.seconds).slices.map { it.cheap } shouldBe List(3) { true } + List(4) { false }
    }

    @Test
    fun `what cheap requests allocate delays nothing, and the measured work goes on while its heap grows`() {
        parts.mayFavour = true
        parts.heap = listOf(100, 110, 120, 130, 140, 141)
        warmed(costlyWithCheap, budget = 60.seconds).slices.map { it.cheap } shouldBe List(3) { true } + List(4) { false }
        parts.heap = List(40) { 100L + 10 * it }
        parts.cpu = listOf(0.4)
        warmed(costlyWithCheap, budget = 60.seconds).slices.count { !it.cheap } shouldBe 1
        parts.cpu = listOf(null)
        parts.gcShare = 0.01
        warmed(costlyWithCheap, budget = 60.seconds).slices.count { !it.cheap } shouldBe 1
    }

    @Test
    fun `the compiler is favoured in cheap slices and real work, all is put back, and a slice under the limit is thrown away`() {
        parts.mayFavour = true
        val warmUp = warmed(costlyWithCheap)

        warmUp.method shouldBe "certified, compiler favoured"
        parts.diary.shouldContainExactly(
            "start tomcat/primes",
            "ready? /noop",
            "verify primes",
            "favour compiler",
            "lift to [0]",
            "drive /primes?n=10 6s + 0s",
            "drive /primes?n=900 4s + 0s",
            "restore",
            "unfavour compiler",
            "drive /primes?n=10 1s + 0s",
            "drive /primes?n=900 2s + 10s",
            "end of sampling",
            "probes away",
            "stop",
        )
        // No rests: 3 × 2 + 4 + 1.
        warmUp.seconds shouldBe 11.0
        warmUp.slices.map { it.cheap } shouldBe listOf(true, true, true, false)
    }

    @Test
    fun `the compiler is favoured too where a fixed time is enough`() {
        parts.mayFavour = true
        val waiting = costly.copy(workload = costly.workload.copy(holds = 1.seconds))
        warmed(waiting).method shouldBe "seconds"
        parts.diary.filter { "favour" in it || "lift" in it || "5s" in it || it == "restore" } shouldBe
            listOf("favour compiler", "lift to [0]", "drive /primes?n=900 5s + 0s", "restore", "unfavour compiler")
    }

    @Test
    fun `without the permission load and rest alternate and nothing is lifted`() {
        val warmUp = warmed(costlyWithCheap)

        warmUp.method shouldBe "certified, load and rest"
        // Each slice with its rest of 1 s: 3.5 + 3.5 + 5, and 1 s at the end.
        warmUp.seconds shouldBe 13.0
        parts.diary.filterNot { it.startsWith("drive") } shouldBe
            listOf("start tomcat/primes", "ready? /noop", "verify primes", "end of sampling", "probes away", "stop")
    }

    @Test
    fun `load and rest, asked for by name, leaves the permission unused`() {
        parts.mayFavour = true
        warmed(costly, WayToWarm.LOAD_AND_REST).method shouldBe "certified, load and rest"
        parts.diary.none { "compiler" in it || "lift" in it } shouldBe true
    }

    @Test
    fun `saturating load alone has no rests and no favours`() {
        parts.mayFavour = true
        val warmUp = warmed(costlyWithCheap, WayToWarm.SATURATE)

        warmUp.method shouldBe "certified, saturating load alone"
        warmUp.seconds shouldBe 11.0
        parts.diary.none { "compiler" in it || "lift" in it || "restore" in it } shouldBe true
    }

    @Test
    fun `the real work is loaded until it gives the compiler nothing more to do`() {
        parts.mayFavour = true
        parts.c2 = List(3) { 0.0625 } + listOf(1.5, 0.5, 0.125)
        val warmUp = warmed(costlyWithCheap)

        warmUp.slices.filterNot { it.cheap }.map { it.c2CpuSeconds } shouldBe listOf(1.5, 0.5, 0.125)
        warmUp.certified shouldBe true
    }

    @Test
    fun `what the compiler has not done for the real work after three slices is denied`() {
        parts.mayFavour = true
        parts.c2 = List(3) { 0.0625 } + 1.5
        val warmUp = warmed(costlyWithCheap, budget = 60.seconds)

        warmUp.slices.count { !it.cheap } shouldBe 3
        warmUp.certified shouldBe false
    }

    @Test
    fun `the real work is loaded once even when the budget is spent`() {
        parts.mayFavour = true
        parts.c2 = listOf(2.0)
        // Five cheap slices fill 11 of 12 s; the real one takes 4.
        val warmUp = warmed(costlyWithCheap, budget = 12.seconds)

        warmUp.slices.map { it.cheap } shouldBe listOf(true, true, true, true, true, false)
        warmUp.certified shouldBe false
    }

    @Test
    fun `a compiler nobody sees is judged by flat throughput, of the real work too`() {
        parts.c2 = listOf(null)
        val warmUp = warmed(costlyWithCheap, budget = 60.seconds)

        warmUp.slices.map { it.cheap } shouldBe listOf(true, true, true, false, false, false)
        warmUp.certified shouldBe true
        // That of `quick`.
        warmed(costly, budget = 20.seconds).certified shouldBe true
    }

    @Test
    fun `requests that no drain of the warm-up saw the end of are counted as left`() {
        // Each drive of the fake leaves 3: two of cheap work, one of the real, and the last.
        record(costlyWithCheap).load.shouldNotBeNull().leftBefore shouldBe 12
    }

    @Test
    fun `limits that cannot be put back, or a compiler that stays favoured, fail the trial`() {
        val breaks = listOf<FakeParts.() -> Unit>({ restores = false }, { unfavours = false })
        breaks.forEach { breakIt ->
            val broken = FakeParts(clock).apply {
                mayFavour = true
                breakIt()
            }
            val failed = record(costly, broken).ending.shouldBeInstanceOf<Ending.Failed>()
            failed.stage shouldBe Stage.WARM_UP
            // Each is put back though the other was not.
            broken.diary shouldContain "restore"
            broken.diary shouldContain "unfavour compiler"
            broken.diary.last() shouldBe "stop"
        }
    }

    @Test
    fun `limits that could be lifted only in part are put back all the same`() {
        parts.mayFavour = true
        parts.lifts = false
        warmed(costly).certified shouldBe true
        parts.diary shouldContain "restore"
    }

    private val costly = cell(cheap = emptyMap())
    private val costlyWithCheap = cell(cheap = mapOf("n" to "10"))

    private fun cell(cheap: Map<String, String>): Cell {
        val steps = listOf(Step("primes", path = "/primes?n={n}"))
        return smallCell(workload = Workload("primes", steps, parameters = mapOf("n" to "900"), warmUpParameters = cheap))
    }

    private fun warmed(
        cell: Cell,
        way: WayToWarm = WayToWarm.FAVOURED,
        budget: Duration = 30.seconds,
        warmAtLeast: Duration = Duration.ZERO,
    ) = record(cell, parts, way, budget, warmAtLeast).warmUp.shouldNotBeNull()

    private fun record(
        cell: Cell,
        parts: FakeParts = FakeParts(clock),
        way: WayToWarm = WayToWarm.FAVOURED,
        budget: Duration = 30.seconds,
        warmAtLeast: Duration = Duration.ZERO,
    ): TrialRecord {
        val rules = TrialRules({ WarmUp.Certified(lawLike = 5.seconds, budget) }, seed = 1)
        return TrialRunner(parts, clock, rules) {}.run(cell, way, warmAtLeast).record
    }
}
