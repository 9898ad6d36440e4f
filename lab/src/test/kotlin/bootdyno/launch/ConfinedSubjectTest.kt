package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CpuBy
import bootdyno.model.Expectation
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.Step
import bootdyno.model.Workload
import bootdyno.system.ProcStat
import bootdyno.system.allowedCpus
import bootdyno.system.availableCpus
import bootdyno.system.canPin
import bootdyno.system.formatCpuList
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.AffinityAndHeap
import bootdyno.system.limits.Confinement
import bootdyno.system.limits.Unconfined
import bootdyno.system.limits.cgroupMountsHere
import bootdyno.system.limits.cgroupV1
import bootdyno.system.limits.confinementsHere
import bootdyno.system.limits.detectConfinement
import bootdyno.system.readLong
import bootdyno.system.readOrNull
import bootdyno.system.runShortly
import bootdyno.system.startMark
import bootdyno.system.threadFolders
import bootdyno.system.waitUntil
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.time.Duration.Companion.seconds

class ConfinedSubjectTest(@param:TempDir private val folder: Path) {
    private val machine = availableCpus()
    private val mounts = cgroupMountsHere()
    private val ledger = Ledger(folder.resolve("ledgers"))
    private val groups: Confinement = cgroupV1(mounts.v1, ledger)

    private fun start(cell: Cell, confinement: Confinement = groups): RunningSubject =
        SubjectLauncher(confinement, place(cell.limits, machine), ledger).start(cell, folder.resolve("subject.log"))

    private fun assumeGroups() {
        val whyNot = groups.whyNot()
        assumeTrue(whyNot == null) { "no writable cgroup v1 here: $whyNot" }
    }

    private fun assumeTwoCpus() = assumeTrue(machine.size >= 2 && canPin()) { "one CPU or no taskset: nothing to pin to" }

    private fun left() = mounts.v1.values.flatMap { it.listDirectoryEntries("dyno-${ProcessHandle.current().pid()}-*") }

    @Test
    fun `memory and a whole CPU are read back as applied, and nothing is left`() {
        assumeGroups()
        assumeTwoCpus()
        start(standIn("serves", Limits(1.0, Bytes(Bytes.GIB), CpuBy.PINNING))).use {
            val startup = it.awaitReady("/", 60.seconds)
            startup.cpuSeconds.shouldNotBeNull() shouldBeGreaterThan 0.0
            it.limits.mechanism shouldBe "cgroup v1"
            it.limits.cpus shouldBe 1.0
            it.limits.cpuBy shouldBe CpuBy.PINNING
            it.limits.cpuList shouldBe "${machine.last()}"
            it.limits.memory shouldBe Bytes(Bytes.GIB)
            it.limits.engineCpuList shouldBe formatCpuList(machine.dropLast(1))
            it.limits.notes.shouldBeEmpty()
            // A quarter of 1 GiB, less one survivor space of the serial collector, on 1 CPU: what the JVM makes of what it sees.
            it.verify(Workload("memory", listOf(Step("memory", path = "/memory", expect = Expectation(200, "259522560 1")))))
            val group = it.group.shouldNotBeNull()
            listOf(group.cpuStat, group.cpuUsage, group.memoryUsage).all(Files::isReadable) shouldBe true
            group.peakMemory().shouldNotBeNull() shouldBeGreaterThan 0
        }
        left().shouldBeEmpty()
        ledger.close()
        folder.resolve("ledgers").listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `a quota is lifted for the warm-up and restored`() {
        assumeGroups()
        assumeTwoCpus()
        val limits = Limits(0.75, null, CpuBy.QUOTA)
        val placed = place(limits, machine)
        start(standIn("serves", limits)).use {
            it.awaitReady("/", 60.seconds)
            it.limits.cpus shouldBe 0.75
            it.limits.cpuBy shouldBe CpuBy.QUOTA
            it.liftCpuLimit(placed.engine) shouldBe true
            it.limits.cpus shouldBe null
            it.limits.cpuList shouldBe formatCpuList(machine)
            it.restoreCpuLimit() shouldBe true
            it.limits.cpus shouldBe 0.75
            it.limits.cpuList shouldBe formatCpuList(placed.subject)
        }
        left().shouldBeEmpty()
    }

    @Test
    fun `the compiler of a pinned subject gets more CPUs for the warm-up, no other thread does, and it goes back`() {
        assumeTwoCpus()
        val limits = Limits(1.0, null, CpuBy.PINNING)
        start(standIn("serves", limits), AffinityAndHeap()).use { subject ->
            val pid = subject.pid.shouldNotBeNull()
            subject.awaitReady("/", 60.seconds)
            fun lists() = threadFolders(pid).mapNotNull { allowedCpus(it.resolve("status")) }.distinct()
            fun listsOfCompiler() = compilerThreads(pid).mapNotNull { allowedCpus(it.resolve("status")) }.distinct()
            lists() shouldContainExactly listOf("${machine.last()}")
            subject.liftCpuLimit(place(limits, machine).engine) shouldBe true
            listsOfCompiler() shouldContainExactly listOf(formatCpuList(machine))
            allowedCpus(Path.of("/proc/$pid/status")) shouldBe "${machine.last()}"
            subject.restoreCpuLimit() shouldBe true
            lists() shouldContainExactly listOf("${machine.last()}")
            subject.limits.mechanism shouldBe "affinity and heap"
            subject.limits.cpus shouldBe 1.0
        }
    }

    @Test
    fun `one thread left on more CPUs is seen and put back`() {
        assumeTwoCpus()
        start(standIn("serves", Limits(1.0, null, CpuBy.PINNING)), AffinityAndHeap()).use { subject ->
            val pid = subject.pid.shouldNotBeNull()
            subject.awaitReady("/", 60.seconds)
            val astray = threadFolders(pid).first { it.name != "$pid" }
            runShortly(listOf("taskset", "-p", "-c", formatCpuList(machine), astray.name))
            allowedCpus(astray.resolve("status")) shouldBe formatCpuList(machine)
            subject.restoreCpuLimit() shouldBe true
            threadFolders(pid).mapNotNull { allowedCpus(it.resolve("status")) }.distinct() shouldContainExactly
                listOf("${machine.last()}")
        }
    }

    @Test
    fun `without a quota nor more CPUs there is nothing to lift`() {
        start(standIn("serves"), Unconfined()).use {
            it.awaitReady("/", 60.seconds)
            it.liftCpuLimit(machine) shouldBe false
            it.restoreCpuLimit() shouldBe true
        }
    }

    @Test
    fun `a subject killed for memory says so`() {
        assumeGroups()
        val jvm = listOf("-Xmx24m", "-XX:MaxDirectMemorySize=1g", "-XX:TieredStopAtLevel=1")
        start(standIn("serves", Limits(null, Bytes(96 * Bytes.MIB), CpuBy.QUOTA), jvm)).use {
            it.awaitReady("/", 60.seconds)
            it.verify(Workload("eat", listOf(Step("eat", path = "/hello", expect = Expectation(200)))))
            runCatching { it.verify(Workload("eat", listOf(Step("eat", path = "/eat")))) }
            waitUntil(60.seconds) { it.deathReport() != null } shouldBe true
            it.deathReport() shouldBe "The subject was killed for memory: it needed more than the 96 MiB it was allowed. " +
                "Try --set 'limits.memory=192 MiB'."
        }
        left().shouldBeEmpty()
    }

    @Test
    fun `the compiler's threads get precedence and lose it again`() {
        assumeTrue(runShortly(listOf("renice", "-n", "0", "-p", "${ProcessHandle.current().pid()}"))?.succeeded == true) {
            "no renice"
        }
        start(standIn("serves"), Unconfined()).use { subject ->
            val pid = subject.pid.shouldNotBeNull()
            subject.awaitReady("/", 60.seconds)
            fun nices(compiler: Boolean) = threadFolders(pid)
                .filter { thread -> readOrNull(thread.resolve("comm")).orEmpty().contains("CompilerThre") == compiler }
                .mapNotNull { thread -> readOrNull(thread.resolve("stat"))?.let { ProcStat(it).nice } }
                .distinct()
            val may = subject.favourCompiler()
            mayFavourCompiler() shouldBe may
            assumeTrue(may) { "no permission to raise a priority" }
            nices(compiler = true) shouldContainExactly listOf(-20)
            nices(compiler = false) shouldContainExactly listOf(0)
            subject.unfavourCompiler() shouldBe true
            nices(compiler = true) shouldContainExactly listOf(0)
        }
    }

    @Test
    fun `a child that outlives its parent is found in the group and ended`() {
        assumeGroups()
        val orphan = folder.resolve("orphan")
        val cell = cellOf(Origin.Command(listOf("sh", "-c", "sleep 600 & echo \$! > '$orphan'; exec sleep 600")))
        start(cell).use {
            waitUntil(10.seconds) { readLongOrZero(orphan) > 0 } shouldBe true
        }
        startMark(readLongOrZero(orphan)) shouldBe null
        left().shouldBeEmpty()
    }

    private fun readLongOrZero(file: Path) = readLong(file) ?: 0

    @Test
    fun `what this machine offers ends with what always works, and detecting leaves nothing`() {
        val found = confinementsHere()
        found.last().whyNot shouldBe null
        found.last().confinement.mechanism shouldBe "none"
        found.filter { it.whyNot != null }.forEach { it.whyNot.orEmpty() shouldContain " " }
        detectConfinement().mechanism shouldBe found.first { it.whyNot == null }.confinement.mechanism
        val own = ProcessHandle.current().pid()
        mounts.v1.values.flatMap { it.listDirectoryEntries("dyno-*") }.filter { "-$own-" in it.name }.shouldBeEmpty()
    }
}
