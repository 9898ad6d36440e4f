package bootdyno.engine

import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import java.nio.file.Files

/** One run of our own engine in its process, in every build. */
@Tag("live")
class ForkedLiveTest : LiveRunKit {
    private val log = Files.createTempFile("engine", ".log")
    override val engine: LoadEngine = ForkedEngine.start(emptyList(), log)
    override val run: LiveRun by lazy { liveRun(engine) }

    @BeforeAll
    fun warm() = engine.warmItself()

    @AfterAll
    fun end() {
        engine.close()
        Files.delete(log)
    }
}
