package bootdyno.load

import java.nio.file.Path

/** A load engine that can be chosen by [name]; [start] takes the CPUs it may use and the file for what it logs. */
data class EngineChoice(val name: String, val description: String, val start: (cpus: List<Int>, log: Path) -> LoadEngine)

/** Every load engine, the default first. A new one is one file and one line here. */
fun engines(): List<EngineChoice> = listOf(
    EngineChoice(OWN_ENGINE, "our own, on Netty and HdrHistogram, in a process of its own", ForkedEngine::start),
)
