package bootdyno.engines.jmeter

import bootdyno.engine.LiveRunKit
import bootdyno.engine.LoadEngine
import org.junit.jupiter.api.BeforeAll
import java.nio.file.Files

class JMeterLiveTest : LiveRunKit {
    override val engine: LoadEngine by lazy {
        JMeterForTests.engine(Files.createTempFile("jmeter", ".log").also { it.toFile().deleteOnExit() })
    }

    @BeforeAll
    fun jmeterIsThere() {
        JMeterForTests.assumed()
    }
}
