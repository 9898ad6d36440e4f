package bootdyno.probe

import bootdyno.model.Bytes
import bootdyno.model.Metric
import bootdyno.system.FIRST_NICE
import bootdyno.system.readOrNull
import bootdyno.system.setNice
import bootdyno.system.threadIds
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.collections.shouldNotContainAnyOf
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import java.io.FileInputStream
import java.nio.file.Path
import kotlin.io.path.readText

@EnabledOnOs(OS.LINUX)
class RealProcessTest {
    private val started = mutableListOf<Process>()

    @AfterEach
    fun endThem() = started.forEach { it.destroyForcibly().waitFor() }

    @Test
    fun `of a JVM the kernel's metrics are read`() {
        val subject = TinySubject.start()
        started += subject
        val probe = SubjectProbe(Watched(pid = subject.pid(), enginePids = { listOf(ProcessHandle.current().pid()) }))

        val read = probe.use { it.read() }

        read.keys shouldContainAll KERNEL + listOf(Metric.COMPILER_CPU, Metric.C2_CPU, Metric.ENGINE_CPU)
        // A JVM has tens of MB, more than ten threads, and has used some CPU.
        read.getValue(Metric.RSS) shouldBeGreaterThan 20.0 * Bytes.MIB
        read.getValue(Metric.THREADS) shouldBeGreaterThan 10.0
        read.getValue(Metric.CPU) shouldBeGreaterThan 0.0
        read.getValue(Metric.VOLUNTARY_SWITCHES) shouldBeGreaterThan 0.0
    }

    @Test
    fun `descriptors this process opens are counted, each once`() {
        val probe = OpenFilesProbe(ProcessHandle.current().pid(), Path.of("/proc"))
        val before = probe.read().getValue(Metric.OPEN_FILES)
        val opened = List(50) { FileInputStream("/dev/null") }
        try {
            // Something else in this JVM may close a file of its own meanwhile.
            probe.read().getValue(Metric.OPEN_FILES) - before shouldBe (50.0 plusOrMinus 10.0)
        } finally {
            opened.forEach { it.close() }
        }
    }

    // What `shortages` relies on: HotSpot's MaxFDLimit.
    @Test
    fun `a JVM raises its soft limit of open files to the hard one by itself`() {
        val subject = TinySubject.start(prefix = listOf("sh", "-c", "ulimit -Sn 256; ulimit -Hn 1000; exec \"$@\"", "sh"))
        started += subject
        val limits = Path.of("/proc/${subject.pid()}/limits").readText()
        val softAndHard = Regex("""Max open files\s+(\d+)\s+(\d+)""").find(limits).shouldNotBeNull().groupValues.drop(1)
        softAndHard shouldBe listOf("1000", "1000")
    }

    @Test
    fun `of another JVM its own figures are read over JMX`() {
        val subject = TinySubject.start(workers = 7).also { started += it }
        SubjectProbe(Watched(subject.pid())).use { probe ->
            var read = emptyMap<Metric, Double>()
            await("an answer over JMX") { probe.read().also { read = it }.keys.containsAll(JVM) }

            read.keys shouldContainAll KERNEL + JVM
            // Twenty arrays of 1 MB in 64 MB, and a System.gc(): the heap is between 0 and 64 MB and was collected.
            read.getValue(Metric.HEAP_USED) shouldBeGreaterThan 0.0
            read.getValue(Metric.HEAP_COMMITTED) shouldBeGreaterThanOrEqual read.getValue(Metric.HEAP_USED)
            read.getValue(Metric.GC_COUNT) shouldBeGreaterThanOrEqual 1.0
            // Nine daemon threads of its own.
            read.getValue(Metric.DAEMON_THREADS) shouldBeGreaterThanOrEqual 9.0
            read.getValue(Metric.LIVE_THREADS) shouldBeGreaterThan read.getValue(Metric.DAEMON_THREADS)

            probe.cost.shouldBeNull()
            val facts = probe.jvmFacts()
            probe.cost.shouldNotBeNull()
            probe.read().keys shouldContain Metric.PROBE_CPU
            facts["java.version"] shouldBe System.getProperty("java.version")
            facts["heap.max"]?.toLong()?.let { it <= 64 * Bytes.MIB } shouldBe true
            facts.keys shouldContainAll listOf("java.vm.name", "os.arch", "gc", "processors")
            probe.jvmNotes.filter { "could not be asked" in it }.shouldBeEmpty()
        }
    }

    @Test
    fun `threads are counted by family and carriers of virtual threads are seen`() {
        val subject = TinySubject.start(workers = 7).also { started += it }
        SubjectProbe(Watched(subject.pid())).use { probe ->
            val families = probe.threadFamilies()

            families["tomcat"] shouldBe 7
            // Two were started; the kernel's cut names cannot tell Reactor's evictor apart, so one is taken for it.
            families["bounded-elastic"] shouldBe 1
            families.getValue("carrier") shouldBeGreaterThan 0
            families.getValue("compiler") shouldBeGreaterThan 0
        }
    }

    @Test
    fun `what a process used is still known after its end`() {
        val subject = TinySubject.start().also { started += it }
        SubjectProbe(Watched(subject.pid())).use { probe ->
            val before = probe.peakRss()
            probe.threadFamilies()["tomcat"] shouldBe 3
            subject.destroyForcibly().waitFor()

            probe.peakRss() shouldBe before
            probe.threadFamilies()["tomcat"] shouldBe 3
            probe.cpuSeconds().shouldBeNull()
            probe.cpuUse().keys shouldNotContain Metric.C2_CPU
            probe.read().keys shouldNotContainAnyOf KERNEL_OF_SUBJECT + JVM
        }
    }

    @Test
    fun `a process without a JVM has no JVM metrics, a note, and keeps running`() {
        val sleep = ProcessBuilder("sleep", "30").start().also { started += it }
        SubjectProbe(Watched(sleep.pid())).use { probe ->
            val read = probe.read()
            probe.jvmFacts().shouldBeEmpty()

            read.keys shouldContainAll KERNEL
            read.keys shouldNotContainAnyOf JVM + listOf(Metric.COMPILER_CPU, Metric.C2_CPU)
            probe.jvmNotes.count { "is no JVM" in it } shouldBe 1
            sleep.isAlive shouldBe true
        }
    }

    @Test
    fun `a JVM that refuses to be attached to is left alone after some tries, with a sentence`() {
        // It refuses at once: attaching to oneself is not allowed.
        SubjectProbe(Watched(ProcessHandle.current().pid())).use { probe ->
            await("the last try") {
                probe.read().keys.none { it in JVM } &&
                    probe.jvmNotes.any { "could not be asked over JMX" in it }
            }

            probe.jvmFacts().shouldBeEmpty()
        }
    }

    @Test
    fun `the threads that answer over JMX go before the busy ones, where that is permitted`() {
        val sleep = ProcessBuilder("sleep", "30").start().also { started += it }
        assumeTrue(setNice(sleep.pid(), FIRST_NICE), "needs root or CAP_SYS_NICE")
        val subject = TinySubject.start().also { started += it }
        SubjectProbe(Watched(subject.pid())).use { probe ->
            probe.jvmFacts().keys shouldContain "gc"

            // Field 19 of /proc/PID/stat is the nice value; field 3 is the first after the name.
            val niceness = threadIds(subject.pid())
                .mapNotNull { readOrNull(Path.of("/proc/${subject.pid()}/task/$it/stat")) }
                .filter { "(RMI TCP Connect)" in it }
                .map { it.substringAfterLast(") ").split(' ')[19 - 3] }
            niceness.toSet() shouldBe setOf("-20")
        }
    }

    @Test
    fun `without a process only the machine and the engine are read`() {
        SubjectProbe(Watched(pid = null, enginePids = { listOf(ProcessHandle.current().pid()) })).use { probe ->
            probe.read().keys shouldBe
                setOf(Metric.MACHINE_CPU, Metric.STEAL, Metric.LISTEN_OVERFLOWS, Metric.LISTEN_DROPS, Metric.ENGINE_CPU)
            probe.threadFamilies().shouldBeEmpty()
            probe.peakRss().shouldBeNull()
        }
    }

    private companion object {
        val KERNEL_OF_SUBJECT = listOf(
            Metric.CPU,
            Metric.RSS,
            Metric.THREADS,
            Metric.VOLUNTARY_SWITCHES,
            Metric.INVOLUNTARY_SWITCHES,
        )
        val KERNEL = KERNEL_OF_SUBJECT + listOf(Metric.MACHINE_CPU, Metric.STEAL)
        val JVM = listOf(
            Metric.HEAP_USED,
            Metric.HEAP_COMMITTED,
            Metric.GC_COUNT,
            Metric.GC_TIME,
            Metric.LIVE_THREADS,
            Metric.DAEMON_THREADS,
            Metric.COMPILATION_TIME,
        )
    }
}
