package bootdyno.engine

import org.junit.jupiter.api.Tag

/** One run of our own engine in its process, in every build. */
@Tag("live")
internal class ForkedLiveTest : LiveRunKit {
    override val engine: LoadEngine get() = WarmForkedEngine.engine
    override val run: LiveRun by lazy { liveRun(engine) }
}
