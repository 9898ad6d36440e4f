package bootdyno.diagnose

import bootdyno.model.Frame
import bootdyno.model.StackTable
import bootdyno.model.StackWeight
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.lang.management.ManagementFactory
import java.util.concurrent.CountDownLatch
import java.util.concurrent.locks.LockSupport
import javax.management.MBeanServerFactory
import kotlin.concurrent.thread

/** Records this JVM. */
class FlightRecorderTest {
    @Test
    fun `what a JVM computes, allocates and waits for is in the profile, by stack`() {
        val stacks = StackTableBuilder()
        val profile = FlightRecorder.start(ManagementFactory.getPlatformMBeanServer()).shouldNotBeNull().use { recorder ->
            val working = listOf(Known::compute, Known::allocate, Known::park).map { thread { it() } }
            (working + Known.contend()).forEach { it.join() }
            recorder.stop(stacks)
        }
        val table = stacks.build()
        methods(table, profile.cpu) shouldContain "compute"
        methods(table, profile.allocation) shouldContain "allocate"
        methods(table, profile.waits.getValue("jdk.ThreadPark")) shouldContain "park"
        methods(table, profile.waits.getValue("jdk.JavaMonitorEnter")) shouldContain "enter"
        table.frames.filter { "0x" in it }.shouldBeEmpty()
        // The innermost call is first, and has its line.
        val computing = profile.cpu.map { table.stack(it.stack) }.filter { it.first().method == "compute" }.shouldNotBeEmpty()
        computing.first().first().type shouldBe Known::class.java.name
        computing.first().first().line.shouldNotBeNull()
    }

    @Test
    fun `a JVM without Flight Recorder is not recorded`() {
        FlightRecorder.start(MBeanServerFactory.newMBeanServer()).shouldBeNull()
    }

    @Test
    fun `stacks beyond the limit are one entry that says so`() {
        val stacks = StackTableBuilder()
        val weights = (1..5).associate { listOf("a.B.c(:$it)") to it.toDouble() }
        heaviest(weights, 3, stacks).map { it.weight } shouldBe listOf(5.0, 4.0, 6.0)
        stacks.build().stack(2) shouldBe listOf(Frame("", "rarer stacks"))
        heaviest(weights, 5, StackTableBuilder()).map { it.weight } shouldBe listOf(5.0, 4.0, 3.0, 2.0, 1.0)
    }

    private fun methods(table: StackTable, weights: List<StackWeight>): List<String> =
        weights.flatMap { table.stack(it.stack) }.filter { it.type == Known::class.java.name }.map { it.method }
}

/** Half a second of each kind of work. */
private object Known {
    private const val NANOS = 500_000_000L
    private val lock = Any()

    @Volatile
    private var kept: Any? = null

    fun compute() {
        val end = System.nanoTime() + NANOS
        var sum = 0.0
        while (System.nanoTime() < end) for (number in 1..10_000) sum += Math.sqrt(number.toDouble())
        kept = sum
    }

    fun allocate() {
        val end = System.nanoTime() + NANOS
        while (System.nanoTime() < end) kept = ByteArray(10_000)
    }

    fun park() {
        val end = System.nanoTime() + NANOS
        while (System.nanoTime() < end) LockSupport.parkNanos(this, NANOS / 10)
    }

    /** A thread that waits for a monitor while this one holds it. */
    fun contend(): Thread {
        val started = CountDownLatch(1)
        return synchronized(lock) {
            thread {
                started.countDown()
                enter()
            }.also {
                started.await()
                while (it.state != Thread.State.BLOCKED) Thread.onSpinWait()
                Thread.sleep(20)
            }
        }
    }

    private fun enter() = synchronized(lock) { kept = lock }
}
