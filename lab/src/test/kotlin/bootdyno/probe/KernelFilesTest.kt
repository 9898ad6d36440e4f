package bootdyno.probe

import bootdyno.model.Bytes
import bootdyno.model.Metric
import bootdyno.system.limits.Group
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path

/** Kernel files imitated in a folder, as man 5 proc and the kernel's cgroup documentation describe them. */
class KernelFilesTest(@param:TempDir private val proc: Path) {
    private fun write(name: String, text: String): Path {
        val file = proc.resolve(name)
        Files.createDirectories(file.parent)
        return Files.writeString(file, text)
    }

    @Test
    fun `a name with blanks and parentheses does not shift the fields`() {
        // utime 250 and stime 50 ticks of 10 ms: 3 s.
        write("7/stat", "7 (a) b (c) S 1 1 1 0 -1 4194560 9 0 0 0 250 50 11 12 20 0 31 0 99 1000 10 18446744073709551615")

        ProcProbe(7, proc, withCpu = true).cpuSeconds() shouldBe 3.0
    }

    @Test
    fun `services are counted with all they started, and those that ended stay counted`() {
        fun process(pid: Int, ticks: Int) =
            write("$pid/stat", "$pid (postgres) S 1 1 1 0 -1 4 9 0 0 0 $ticks 0 0 0 20 0 1 0 99 1000 10 1")
        var pids = listOf(8L, 9L)
        val probe = CpuProbe(Metric.SERVICES_CPU, { pids }, proc)
        process(8, 100)
        process(9, 50)

        probe.read() shouldBe mapOf(Metric.SERVICES_CPU to 1.5)
        Files.delete(proc.resolve("9/stat"))
        process(8, 120)
        pids = listOf(8L)
        probe.read() shouldBe mapOf(Metric.SERVICES_CPU to 1.7)
        CpuProbe(Metric.SERVICES_CPU, { emptyList() }, proc).read().shouldBeEmpty()
    }

    @Test
    fun `memory is read in bytes and the highest is remembered`() {
        write("7/status", "Name:\tjava\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\nThreads:\t31\n")
        val probe = ProcProbe(7, proc, withCpu = false)

        probe.read() shouldBe mapOf(Metric.RSS to 1024.0 * 1024, Metric.THREADS to 31.0)
        Files.delete(proc.resolve("7/status"))
        probe.peakRss() shouldBe Bytes(2048 * Bytes.KIB)
    }

    @Test
    fun `context switches never fall when a thread ends or its id is used again`() {
        fun thread(id: Int, voluntary: Int, involuntary: Int) = write(
            "7/task/$id/status",
            "Name:\tx\nvoluntary_ctxt_switches:\t$voluntary\nnonvoluntary_ctxt_switches:\t$involuntary\n",
        )
        val probe = ThreadsProbe(7, proc)

        fun read() = probe.read().let { listOf(it[Metric.VOLUNTARY_SWITCHES], it[Metric.INVOLUNTARY_SWITCHES]) }

        thread(8, 100, 10)
        thread(9, 50, 5)
        read() shouldBe listOf(150.0, 15.0)
        Files.delete(proc.resolve("7/task/9/status"))
        thread(8, 110, 10)
        // 110 + the 50 of the thread that ended; 10 + its 5.
        read() shouldBe listOf(160.0, 15.0)
        thread(8, 3, 1)
        // A new thread 8: 110 + 50 have ended, 3 is new; 10 + 5 and 1.
        read() shouldBe listOf(163.0, 16.0)
    }

    @Test
    fun `threads that run or wait for a CPU are counted, sleeping ones not`() {
        listOf("R (running)", "S (sleeping)", "R (running)", "D (disk sleep)").forEachIndexed { index, state ->
            write(
                "7/task/${8 + index}/status",
                "Name:\tx\nState:\t$state\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t1\n",
            )
        }
        ThreadsProbe(7, proc).read()[Metric.RUNNABLE] shouldBe 2.0
    }

    @Test
    fun `compiler threads are counted in nanoseconds, each kind apart, and kept after their end`() {
        fun thread(id: Int, name: String, nanos: Long, waited: Long = 0) {
            write("7/task/$id/comm", "$name\n")
            write("7/task/$id/schedstat", "$nanos $waited 1\n")
        }
        thread(7, "java", 9_000_000_000)
        thread(8, "C1 CompilerThre", 250_000_000, waited = 3_000_000_000)
        thread(9, "C2 CompilerThre", 1_000_000_000, waited = 500_000_000)
        val probe = CompilerProbe(7, proc)

        probe.read() shouldBe mapOf(Metric.COMPILER_CPU to 1.25, Metric.C2_CPU to 1.0, Metric.C2_WAIT to 0.5)
        thread(9, "C2 CompilerThre", 1_500_000_000, waited = 750_000_000)
        thread(10, "C2 CompilerThre", 500_000_000, waited = 250_000_000)
        probe.read() shouldBe mapOf(Metric.COMPILER_CPU to 2.25, Metric.C2_CPU to 2.0, Metric.C2_WAIT to 1.0)
        proc.resolve("7/task/10").toFile().deleteRecursively()
        probe.read() shouldBe mapOf(Metric.COMPILER_CPU to 2.25, Metric.C2_CPU to 2.0, Metric.C2_WAIT to 1.0)
    }

    @Test
    fun `the threads that answer over JMX are counted apart`() {
        listOf("RMI TCP Connect", "RMI TCP Accept-", "RMI Scheduler(0").forEachIndexed { nth, name ->
            write("7/task/${8 + nth}/comm", "$name\n")
            write("7/task/${8 + nth}/schedstat", "250000000 1 1\n")
        }
        CompilerProbe(7, proc).read() shouldBe mapOf(Metric.PROBE_CPU to 0.75)
    }

    @Test
    fun `a compiler thread that still wears its parent's name is found later`() {
        write("7/task/9/schedstat", "1000000000 1 1\n")
        write("7/task/9/comm", "java\n")
        val probe = CompilerProbe(7, proc)
        probe.read().shouldBeEmpty()

        write("7/task/9/comm", "C2 CompilerThre\n")

        probe.read()[Metric.C2_CPU] shouldBe 1.0
    }

    @Test
    fun `where the kernel keeps no schedstat compiler time comes in ticks`() {
        write("7/task/9/comm", "C2 CompilerThre\n")
        write("7/task/9/schedstat", "0 0 0\n")
        write("7/task/9/stat", "9 (C2 CompilerThre) S 1 1 1 0 -1 4194560 9 0 0 0 120 3 0 0 20 0 31 0 99 1000 10")

        // 123 ticks of 10 ms.
        CompilerProbe(7, proc).read() shouldBe mapOf(Metric.COMPILER_CPU to 1.23, Metric.C2_CPU to 1.23)
    }

    @Test
    fun `a control group of version 1 speaks nanoseconds`() {
        write("cpu.stat", "nr_periods 300\nnr_throttled 120\nthrottled_time 4500000000\nnr_bursts 0\nburst_time 0\n")
        write("cpuacct.usage", "12345000000\n")
        write("memory.usage_in_bytes", "1048576\n")

        CgroupProbe(Group(1, proc)).read() shouldBe GROUP
    }

    @Test
    fun `a control group of version 2 speaks microseconds`() {
        val stat = "usage_usec 12345000\nuser_usec 1\nsystem_usec 1\nnr_periods 300\nnr_throttled 120\nthrottled_usec 4500000\n"
        write("cpu.stat", stat)
        write("memory.current", "1048576\n")

        CgroupProbe(Group(2, proc)).read() shouldBe GROUP
    }

    @Test
    fun `a control group without the cpu controller has its usage but no periods`() {
        write("cpu.stat", "usage_usec 2000000\nuser_usec 1\nsystem_usec 1\n")

        CgroupProbe(Group(2, proc)).read() shouldBe mapOf(Metric.CPU to 2.0)
    }

    @Test
    fun `a control group that is gone is missing, not zero`() {
        CgroupProbe(Group(2, proc)).read().shouldBeEmpty()
    }

    @Test
    fun `the machine is busy with all but idle, waiting and stolen time`() {
        // user 100, nice 20, system 30, idle 4000, iowait 50, irq 6, softirq 7, steal 8, guest 90: 100+20+30+6+7 = 163 ticks.
        write("stat", "cpu  100 20 30 4000 50 6 7 8 90 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n")

        MachineProbe(proc).read() shouldBe mapOf(Metric.MACHINE_CPU to 1.63, Metric.STEAL to 0.08)
    }

    @Test
    fun `an imitated machine of zeros is missing`() {
        write("stat", "cpu  0 0 0 0 0 0 0 0 0 0\n")

        MachineProbe(proc).read().shouldBeEmpty()
    }

    @Test
    fun `overflows and drops of accept queues are found by name, and the machine's addresses do not confuse them`() {
        write(
            "net/netstat",
            "TcpExt: SyncookiesSent ListenOverflows ListenDrops TCPHPHits\nTcpExt: 5 17 19 9\n" +
                "IpExt: InNoRoutes ListenOverflows\nIpExt: 0 99\n",
        )

        ListenProbe(proc).read() shouldBe mapOf(Metric.LISTEN_OVERFLOWS to 17.0, Metric.LISTEN_DROPS to 19.0)
    }

    @Test
    fun `a kernel that does not count them has no overflows, not zero`() {
        ListenProbe(proc).read().shouldBeEmpty()
        write("net/netstat", "TcpExt: SyncookiesSent TCPHPHits\nTcpExt: 5 9\n")
        ListenProbe(proc).read().shouldBeEmpty()
    }

    @Test
    fun `a process that is gone holds no descriptors that could be counted`() {
        OpenFilesProbe(7, proc).read().shouldBeEmpty()
    }

    @Test
    fun `the ports a client may leave from are counted with both ends of their range`() {
        write("sys/net/ipv4/ip_local_port_range", "32768\t60999\n")
        environment(proc, proc.resolve("sys")).localPorts shouldBe 28_232
    }

    @Test
    fun `CPU is counted once, by the control group where there is one`() {
        write("7/stat", "7 (java) S 1 1 1 0 -1 4194560 9 0 0 0 250 50 11 12 20 0 31 0 99 1000 10")
        write("cpuacct.usage", "5000000000\n")

        SubjectProbe(Watched(7, Group(1, proc)), proc).use {
            it.read()[Metric.CPU] shouldBe 5.0
            it.cpuSeconds() shouldBe 3.0
        }
        SubjectProbe(Watched(7), proc).use { it.read()[Metric.CPU] shouldBe 3.0 }
    }

    @Test
    fun `without proc everything is missing`() {
        SubjectProbe(Watched(pid = 999_999_999), proc.resolve("nowhere")).use { it.read().shouldBeEmpty() }
    }

    private companion object {
        /** What both imitated control groups say: 12.345 s used, throttled in 120 of 300 periods for 4.5 s, 1 MiB. */
        val GROUP = mapOf(
            Metric.CPU to 12.345,
            Metric.PERIODS to 300.0,
            Metric.THROTTLED_PERIODS to 120.0,
            Metric.THROTTLED to 4.5,
            Metric.CGROUP_MEMORY to 1_048_576.0,
        )
    }
}
