package bootdyno.measure

import bootdyno.engine.EngineChoice
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.model.EngineSpec
import bootdyno.model.OWN_ENGINE
import bootdyno.run.LoadEngines
import bootdyno.system.cpuListOf
import bootdyno.system.ledger.Ledger
import bootdyno.system.onFailure
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

/**
 * The load engines of a run on [cpus], of [choices]; each is started on first use. [logs]: the folder of `engine.log`, which is that of our own,
 * `wrk.log` and others. [chains]: whether they send chains of requests.
 * [warmUp]: whether their own code is warmed up.
 */
class RunEngines(
    private val cpus: List<Int>,
    private val ledger: Ledger,
    private val logs: Path,
    private val chains: Boolean = true,
    private val warmUp: Boolean = !ENGINE_STAYS_COLD,
    private val choices: List<EngineChoice> = engines(),
) : LoadEngines,
    AutoCloseable {
    /** By their spec without network: there is one network, which changes. */
    private val running = ConcurrentHashMap<EngineKey, LoadEngine>()
    private val network = lazy { EmulatedNetwork.make(ledger) }
    private val temporary = lazy { orEngineFailed("No load engine can be started") { ledger.temporaryFolder("engines") } }

    override val lentWhileWarming: List<Int> get() = cpus

    override fun engineCpuList(): String? =
        running.entries.find { (key, _) -> key.spec.name == OWN_ENGINE && key.spec.hosts.isEmpty() }?.value?.pid?.let(::cpuListOf)

    override fun engine(spec: EngineSpec): LoadEngine {
        spec.network?.let { network.value.shape(it) }
        val key = EngineKey(spec.copy(network = null), inNetwork = spec.network != null)
        return running[key]?.takeIf(::lives) ?: start(key).also { running[key] = it }
    }

    fun pids(): List<Long> = running.values.flatMap { it.pids }

    private fun lives(engine: LoadEngine): Boolean =
        engine.pids.all { ProcessHandle.of(it).map(ProcessHandle::isAlive).orElse(false) }

    private data class EngineKey(val spec: EngineSpec, val inNetwork: Boolean)

    private fun start(key: EngineKey): LoadEngine {
        running.remove(key)?.close()
        val spec = key.spec
        val choice = choices.find { it.name == spec.name } ?: throw EngineFailed("There is no load engine ${spec.name}.")
        val inside: (List<String>) -> List<String> = if (key.inNetwork) network.value::inside else ({ words -> words })
        val log = logs.resolve(if (choice.name == OWN_ENGINE) "engine.log" else "${choice.name}.log")
        val context = EngineContext(cpus, log, cacheFolder(), temporary.value, inside) {
            orEngineFailed("The load engine ${choice.name} was ended") { ledger.child(it, "load engine ${choice.name}") }
        }
        val started = choice.start(context, spec)
        onFailure(started::close) {
            started.pids.forEach(context.started)
            if (warmUp) started.warmItself(chains)
        }
        return started
    }

    override fun close() {
        try {
            running.values.forEach { it.close() }
        } finally {
            if (network.isInitialized()) network.value.close()
            if (temporary.isInitialized()) ledger.removeTemporary(temporary.value)
        }
    }
}

/** What [action] returns. @throws EngineFailed if it throws an [IOException]; [what] is the sentence before its message */
internal fun <T> orEngineFailed(what: String, action: () -> T): T = try {
    action()
} catch (refused: IOException) {
    throw EngineFailed("$what: ${refused.message}.")
}

/** For the fault campaign, which ignores all figures: the warm-up of the engine takes most of a short run. */
internal val ENGINE_STAYS_COLD = System.getProperty("dyno.engine.cold") == "true"

internal const val COLD_ENGINE = "The load engine was not warmed up (dyno.engine.cold). Do not use these figures."
