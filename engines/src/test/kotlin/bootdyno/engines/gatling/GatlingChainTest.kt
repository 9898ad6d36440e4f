package bootdyno.engines.gatling

import bootdyno.engine.LoadEngine
import bootdyno.engine.OpenChainKit
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import java.nio.file.Files

@Tag("live")
@Tag("full")
class GatlingChainTest : OpenChainKit() {
    private val log = Files.createTempFile("gatling", ".log").also { it.toFile().deleteOnExit() }
    private val gatling by lazy { GatlingForTests.engine(log) }
    override val engine: LoadEngine get() = gatling

    @BeforeAll
    fun gatlingIsThere() {
        GatlingForTests.assumed()
    }

    @AfterAll
    fun end() = gatling.close()
}
