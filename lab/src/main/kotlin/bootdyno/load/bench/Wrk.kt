package bootdyno.load.bench

import bootdyno.load.pinned
import java.nio.file.Files
import java.nio.file.Path

/** One run of wrk; its CPU time is what the kernel adds to our waited-for children. */
internal fun wrkTurn(port: Int, threads: Int, plan: BenchPlan, place: BenchPlace): Turn {
    val seconds = plan.slice.inWholeSeconds.coerceAtLeast(1)
    val command = listOf("wrk", "-t$threads", "-c${plan.connections}", "-d${seconds}s", "http://127.0.0.1:$port/")
    val log = place.log("wrk")
    val before = childrenCpuSeconds()
    val process = ProcessBuilder(pinned(place.generatorCpus, command)).redirectErrorStream(true).start()
    val said = try {
        process.inputReader().readText().also { process.waitFor() }
    } finally {
        process.destroy()
    }
    Files.writeString(log, said, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND)
    val cpu = childrenCpuSeconds() - before
    val requests = REQUESTS.find(said)?.groupValues?.get(1)?.toLong() ?: 0
    check(requests > 0 && "Non-2xx" !in said && "Socket errors" !in said) { "wrk measured nothing or errors: $said" }
    return Turn(requests, cpu, seconds.toDouble())
}

private val REQUESTS = Regex("""(\d+) requests in""")

/** Fields 16 and 17 of /proc/self/stat, in ticks of 10 ms (proc_pid_stat(5)); they follow the name, which may hold spaces. */
private fun childrenCpuSeconds(): Double {
    val fields = Files.readString(Path.of("/proc/self/stat")).substringAfterLast(") ").split(' ')
    return (fields[13].toLong() + fields[14].toLong()) / TICKS_A_SECOND
}

private const val TICKS_A_SECOND = 100.0

/** The CPUs this process may run on, in order; empty where the machine does not say. */
internal fun allowedCpus(): List<Int> {
    val status = Path.of("/proc/self/status")
    if (!Files.isReadable(status)) return emptyList()
    val list =
        Files.readAllLines(status).find { it.startsWith("Cpus_allowed_list:") }?.substringAfter(':')?.trim() ?: return emptyList()
    return list.split(',').flatMap { span -> span.substringBefore('-').toInt()..span.substringAfter('-').toInt() }
}
