package bootdyno.engine

import org.junit.jupiter.api.Tag
import java.nio.file.Files
import java.nio.file.Path

/** One run of our own engine in its process, in every build. */
@Tag("live")
internal class ForkedLiveTest :
    LiveRunKit,
    WarmForkedEngine {
    override val log: Path = Files.createTempFile("engine", ".log")
    override val engine: LoadEngine = ForkedEngine.start(emptyList(), log)
    override val run: LiveRun by lazy { liveRun(engine) }
}
