package bootdyno.engines.wrk

import bootdyno.engine.EngineContext
import bootdyno.engine.LiveRunKit
import bootdyno.engine.LoadEngine
import bootdyno.model.EngineSpec
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import java.nio.file.Files

@Tag("live")
class WrkLiveTest : LiveRunKit {
    private val log = Files.createTempFile("wrk", ".log").also { it.toFile().deleteOnExit() }
    override val engine: LoadEngine by lazy { WrkEngine.start(EngineContext(listOf(0), log, log.parent), EngineSpec(WRK)) }

    @BeforeAll
    fun wrkIsInstalled() {
        assumeTrue(whyNoWrk() == null, "wrk is not installed")
    }
}
