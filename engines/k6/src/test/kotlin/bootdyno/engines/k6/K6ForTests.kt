package bootdyno.engines.k6

import bootdyno.engine.EngineContext
import bootdyno.model.EngineSpec
import org.junit.jupiter.api.Assumptions.assumeTrue
import java.nio.file.Path

/** The engine as a run starts it. Tests are skipped where k6 is not installed. */
internal object K6ForTests {
    fun assumed() = assumeTrue(whyNoK6() == null) { whyNoK6().orEmpty() }

    fun engine(log: Path, script: Path? = null, options: Map<String, String> = emptyMap()): K6Engine {
        assumed()
        return K6Engine.start(EngineContext(emptyList(), log, log.parent), EngineSpec(K6_KIND.name, script?.toString(), options))
    }
}
