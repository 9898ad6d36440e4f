package bootdyno.engines.jmeter

import bootdyno.engine.ChainKit
import bootdyno.engine.LoadEngine
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import java.nio.file.Files

@Tag("live")
@Tag("full")
class JMeterChainTest : ChainKit() {
    private val log = Files.createTempFile("jmeter", ".log").also { it.toFile().deleteOnExit() }

    /** Warmed: compiling the script that takes values out of answers lasts longer than a window here. */
    override val engine: LoadEngine by lazy { JMeterForTests.engine(log, mapOf("warm" to "1 s")) }
    override val asksOn: Boolean get() = true

    @BeforeAll
    fun jmeterIsThere() {
        JMeterForTests.assumed()
    }
}
