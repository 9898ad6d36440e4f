package bootdyno.engines.jmeter

import bootdyno.engine.BurstFaultsKit
import bootdyno.engine.ClosedKit
import bootdyno.engine.EngineFailed
import bootdyno.engine.Hostile
import bootdyno.engine.HostileServer
import bootdyno.engine.order
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.nio.file.Files
import kotlin.reflect.KClass
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** JMeter itself, where it can be had. It takes seconds to start: each test shows as much as one run can. */
@Tag("live")
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JMeterEngineTest :
    ClosedKit,
    BurstFaultsKit,
    JMeterTraits {
    private val log = Files.createTempFile("jmeter", ".log")
    override val engine: JMeterEngine by lazy { engine() }

    @BeforeAll
    fun jmeterIsThere() {
        JMeterForTests.assumed()
    }

    @AfterAll
    fun end() {
        engine.close()
        Files.delete(log)
    }

    override val timing: KClass<RecordedJtlTest> get() = RecordedJtlTest::class
    override val liveRun: KClass<JMeterLiveTest> get() = JMeterLiveTest::class
    override val spins: Boolean get() = true

    private fun engine(vararg options: Pair<String, String>) = JMeterForTests.engine(log, options.toMap())

    @Test
    fun `long answers are read to their end, and more of them than its heap could hold`() {
        HostileServer(Hostile.HUNDRED_MEGABYTES).use { server ->
            val order =
                order(server.port, LoadProfile.Burst(3, 1), window = 60.seconds, expect = Expectation(200), timeout = 60.seconds)
            val found = engine.drive(order).found
            found.answered shouldBe 3
            found.errors shouldBe emptyMap()
        }
    }

    @Test
    fun `what it cannot do is said before anything starts`() {
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), window = Duration.ZERO)) }
        shouldThrow<EngineFailed> { engine("threads" to "3") }.message shouldContain "`threads`"
        val far = engine("remotes" to "10.0.0.7:1099")
        shouldThrow<EngineFailed> { far.drive(order(1, LoadProfile.Closed(1), window = 1.seconds)) }.message shouldContain
            "target"
        val two = engine("remotes" to "127.0.0.1:1,127.0.0.1:2")
        shouldThrow<EngineFailed> { two.drive(order(1, LoadProfile.Closed(3), window = 1.seconds)) }.message shouldContain
            "evenly"
    }
}
