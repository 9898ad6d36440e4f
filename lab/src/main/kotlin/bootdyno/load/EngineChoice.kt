package bootdyno.load

import bootdyno.load.gatling.GatlingEngine
import bootdyno.model.EngineSpec
import bootdyno.model.OWN_ENGINE
import java.nio.file.Path

/** Where an engine runs: the CPUs it may use (any, when empty), the file for what it logs, and a folder that outlives the run. */
data class EngineSeat(val cpus: List<Int>, val log: Path, val cache: Path)

/** A load engine that can be chosen by [name]. */
data class EngineChoice(
    val name: String,
    val description: String,
    /** Starts it, fetching what it needs into the cache first. @throws EngineFailed with what is missing and how to get it. */
    val start: (seat: EngineSeat, spec: EngineSpec) -> LoadEngine,
)

/** Every load engine, the default first. A new one is one file and one line here. */
fun engines(): List<EngineChoice> = listOf(
    EngineChoice(OWN_ENGINE, "our own, on Netty and HdrHistogram, in a process of its own") { seat, _ ->
        ForkedEngine.start(seat.cpus, seat.log)
    },
    EngineChoice("gatling", "Gatling 3.15.1, fetched once with Maven; or your own simulation") { seat, spec ->
        GatlingEngine.start(seat, spec)
    },
)
