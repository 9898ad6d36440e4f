package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.GeneratorFound
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption

/** Where an engine runs: the CPUs it may use (any, when empty), the file for what it logs, and a folder that outlives the run. */
data class EngineContext(
    val cpus: List<Int>,
    val log: Path,
    val cache: Path,
    /** For files of a drive, removed by whoever made it. */
    val temporary: Path = Path.of(System.getProperty("java.io.tmpdir")),
    /** Called for every process that the engine starts, so that none is left behind by a lab that was killed. */
    val started: (pid: Long) -> Unit = {},
) {
    /** How many CPUs it may use. */
    val cpuCount: Int get() = cpus.size.takeIf { it > 0 } ?: Runtime.getRuntime().availableProcessors()

    /** Adds [line] to the log. */
    fun note(line: String) {
        Files.writeString(log, "$line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND)
    }

    /** An engine that used [cpuSeconds] in its window, and does not record how late it sends. */
    fun generator(cpuSeconds: Double) = GeneratorFound(cpuSeconds, cpuCount.toDouble(), lagP99Ms = null)
}

/** A load engine that can be chosen by the name of its [kind]. */
data class EngineChoice(
    val kind: EngineKind,
    val description: String,
    /** Why it cannot be used here, and what to do; null when it can, or when that shows only as it starts. */
    val whyNot: () -> String? = { null },
    /** Starts it, fetching what it needs into the cache first. @throws EngineFailed with what is missing and how to get it. */
    val start: (context: EngineContext, spec: EngineSpec) -> LoadEngine,
) {
    val name: String get() = kind.name
}
