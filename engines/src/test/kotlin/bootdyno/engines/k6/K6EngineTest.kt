package bootdyno.engines.k6

import bootdyno.engine.ClosedCountKit
import bootdyno.engine.LoadEngine
import bootdyno.engine.OpenKit
import bootdyno.engine.UnansweredKit
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import java.nio.file.Files
import kotlin.reflect.KClass

/** k6 itself, where it is installed. */
@Tag("live")
@Tag("full")
class K6EngineTest :
    ClosedCountKit,
    OpenKit,
    UnansweredKit,
    K6Traits {
    private val log = Files.createTempFile("k6", ".log")

    /** Few users of open load, so that their connections are seen to be kept. */
    override val engine: LoadEngine by lazy { K6ForTests.engine(log, options = mapOf("vus" to "20")) }
    override val timing: KClass<RecordedK6Test> get() = RecordedK6Test::class
    override val liveRun: KClass<K6LiveTest> get() = K6LiveTest::class
    override val spins: Boolean get() = true

    @BeforeAll
    fun k6IsInstalled() = K6ForTests.assumed()

    @AfterAll
    fun end() = Files.delete(log)
}
