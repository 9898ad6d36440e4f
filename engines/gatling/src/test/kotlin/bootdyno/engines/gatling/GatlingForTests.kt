package bootdyno.engines.gatling

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.model.EngineSpec
import org.junit.jupiter.api.Assumptions.assumeTrue
import java.nio.file.Path

/** The engine as a run starts it, with one Gatling for all tests. Tests are skipped where it cannot be had, and say why. */
internal object GatlingForTests {
    private val cache = Path.of("target/engines").toAbsolutePath()

    private val missing: String? by lazy {
        try {
            GatlingHome.inside(cache, ::println)
            null
        } catch (failure: EngineFailed) {
            failure.message
        }
    }

    fun assumed() = assumeTrue(missing == null) { "no Gatling here: $missing" }

    /** Cold, since warming takes seconds and no figure here depends on it. */
    fun engine(log: Path, script: Path? = null, options: Map<String, String> = emptyMap()): GatlingEngine {
        assumed()
        val all = if (script == null) mapOf("warm" to "0 s") + options else options
        return GatlingEngine.start(EngineContext(emptyList(), log, cache), EngineSpec(GATLING_KIND.name, script?.toString(), all))
    }
}
