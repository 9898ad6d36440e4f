package bootdyno.engines.k6

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineTraits
import bootdyno.model.EngineSpec
import org.junit.jupiter.api.Assumptions.assumeTrue
import java.nio.file.Path

/** What the kits must know of k6. */
internal interface K6Traits : EngineTraits {
    /** Go does, for requests that may be repeated. */
    override val asksAgain: Boolean get() = true
    override val stampsEachSend: Boolean get() = false
    override val startsCold: Boolean get() = true

    /** Its load begins before its first request, with which the window begins. */
    override val asksOn: Boolean get() = true
}

/** The engine as a run starts it. Tests are skipped where k6 is not installed. */
internal object K6ForTests {
    fun assumed() = assumeTrue(whyNoK6() == null) { whyNoK6().orEmpty() }

    fun engine(log: Path, script: Path? = null, options: Map<String, String> = emptyMap()): K6Engine {
        assumed()
        return K6Engine.start(EngineContext(emptyList(), log, log.parent), EngineSpec(K6_KIND.name, script?.toString(), options))
    }
}
