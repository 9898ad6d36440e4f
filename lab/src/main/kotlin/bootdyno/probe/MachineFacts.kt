package bootdyno.probe

import bootdyno.model.Bytes
import bootdyno.model.Environment
import bootdyno.model.TopologyFound
import bootdyno.system.availableCpus
import bootdyno.system.cpuTopology
import bootdyno.system.formatCpuList
import bootdyno.system.readKeyed
import bootdyno.system.readOrNull
import java.nio.file.Path
import java.time.OffsetDateTime
import java.time.temporal.ChronoUnit
import kotlin.io.path.Path
import kotlin.io.path.exists

/** The current properties of the machine. [proc] and [sys] are the roots of those file systems; missing values are null. */
fun environment(proc: Path = Path("/proc"), sys: Path = Path("/sys")): Environment {
    fun text(file: Path): String? = readOrNull(file)?.trim()?.ifEmpty { null }
    val cpuInfo = text(proc.resolve("cpuinfo")).orEmpty()
    val limits = text(proc.resolve("self/limits")).orEmpty()
    return Environment(
        bootDyno = Environment::class.java.`package`?.implementationVersion ?: "development",
        startedAt = OffsetDateTime.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        os = "${System.getProperty("os.name")} ${System.getProperty("os.arch")}",
        kernel = System.getProperty("os.version"),
        cpuModel = Regex("""^model name\s*:(.*)$""", RegexOption.MULTILINE).find(cpuInfo)?.groupValues?.get(1)?.trim(),
        cpus = Runtime.getRuntime().availableProcessors(),
        memory = readKeyed(proc.resolve("meminfo"), "MemTotal")?.let { Bytes(it * Bytes.KIB) },
        jdk = "${System.getProperty("java.vendor")} ${System.getProperty("java.runtime.version")}",
        cgroup = when {
            sys.resolve("fs/cgroup/cgroup.controllers").exists() -> "cgroup v2"
            sys.resolve("fs/cgroup/cpu").exists() -> "cgroup v1"
            else -> "none"
        },
        somaxconn = text(proc.resolve("sys/net/core/somaxconn"))?.toLongOrNull(),
        openFiles = Regex("""Max open files\s+(\d+)""").find(limits)?.groupValues?.get(1)?.toLongOrNull(),
        loadAverage = text(proc.resolve("loadavg"))?.substringBefore(' ')?.toDoubleOrNull(),
        governor = text(sys.resolve("devices/system/cpu/cpu0/cpufreq/scaling_governor")),
        virtualMachine = "a hypervisor".takeIf { Regex("""\bhypervisor\b""").containsMatchIn(cpuInfo) }
            ?.let { text(sys.resolve("class/dmi/id/sys_vendor")) ?: it },
        topology = cpuTopology(availableCpus(proc, sys), sys).run {
            TopologyFound(cores.map(::formatCpuList), nodes.map(::formatCpuList))
        },
        bootId = text(proc.resolve("sys/kernel/random/boot_id")),
        localPorts = text(proc.resolve("sys/net/ipv4/ip_local_port_range"))?.let(::portsOf),
    )
}

/** Number of ports in a range as the kernel writes it, inclusive: `32768	60999`. */
private fun portsOf(range: String): Long? {
    val ends = range.split(Regex("\\s+")).mapNotNull { it.toLongOrNull() }
    return if (ends.size == 2) ends.last() - ends.first() + 1 else null
}
