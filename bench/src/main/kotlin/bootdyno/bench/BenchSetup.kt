package bootdyno.bench

import bootdyno.engine.EngineContext
import java.nio.file.Files
import java.nio.file.Path

/** Where a bench runs: generators take turns on the first CPU, the servers have the second, where there are two. */
internal data class BenchSetup(val generatorCpus: List<Int>, val targetCpus: List<Int>, val folder: Path) {
    fun log(name: String): Path = folder.resolve("$name.log")

    fun context(engine: String, cache: Path = folder) = EngineContext(generatorCpus, log(engine), cache)

    /** A reason to doubt its figures; null where there is none. */
    val doubt: String?
        get() = if (generatorCpus != targetCpus) {
            null
        } else {
            "one CPU for generator and target together: costs are distorted by their taking turns."
        }

    companion object {
        fun here(folder: Path): BenchSetup {
            val cpus = allowedCpus()
            return BenchSetup(cpus.take(1), cpus.drop(1).take(1).ifEmpty { cpus.take(1) }, folder)
        }
    }
}

/** The CPUs this process may run on, in order; empty where the machine does not say. */
private fun allowedCpus(): List<Int> {
    val status = Path.of("/proc/self/status")
    if (!Files.isReadable(status)) return emptyList()
    val list =
        Files.readAllLines(status).find { it.startsWith("Cpus_allowed_list:") }?.substringAfter(':')?.trim() ?: return emptyList()
    return list.split(',').flatMap { span -> span.substringBefore('-').toInt()..span.substringAfter('-').toInt() }
}
