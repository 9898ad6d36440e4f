package bootdyno.engines.jmeter

import bootdyno.engine.LiveRunKit
import bootdyno.engine.LoadEngine
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import java.nio.file.Files

@Tag("live")
class JMeterLiveTest : LiveRunKit {
    override val engine: LoadEngine by lazy {
        JMeterForTests.engine(Files.createTempFile("jmeter", ".log").also { it.toFile().deleteOnExit() })
    }

    @BeforeAll
    fun jmeterIsThere() {
        JMeterForTests.assumed()
    }
}
