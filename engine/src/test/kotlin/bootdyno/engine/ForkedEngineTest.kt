package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.system.javaCommand
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.reflect.KClass
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

@Tag("live")
@Tag("full")
internal class ForkedEngineTest :
    ClosedCountKit,
    OpenKit,
    BurstKit,
    UnansweredKit,
    ClosedTimingKit,
    OpenTimingKit,
    PoissonTimingKit,
    BurstTimingKit,
    UnansweredTimingKit {
    override val engine: LoadEngine get() = WarmForkedEngine.engine
    override val kind: EngineKind get() = EngineKind.OWN
    override val timing: KClass<ForkedEngineTest> get() = ForkedEngineTest::class
    override val liveRun: KClass<ForkedLiveTest> get() = ForkedLiveTest::class

    /** It is warm, and goes before other processes. */
    override fun measured(case: TimingCase): LoadMeasured = case.serve(engine::drive)

    private fun longDrive(port: Int) = LoadOrder(
        host = "127.0.0.1",
        port = port,
        steps = listOf(Step("all", path = "/")),
        load = LoadProfile.Open(50.0),
        window = 60.seconds,
        timeout = 5.seconds,
    )

    @Test
    fun `a warm-up drive reports seconds and counts nothing`() {
        TruthServer.start { it.answer(good) }.use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val measured = engine.drive(
                order(server.port, LoadProfile.Closed(5), window = Duration.ZERO, settle = 1.seconds),
                seconds::add,
            )
            seconds.shouldNotBeEmpty()
            seconds.filter { it.inWindow }.shouldBeEmpty()
            seconds.last().answered shouldBeGreaterThan 0L
            measured.found.answered shouldBe 0
            measured.found.windowSeconds shouldBe 0.0
            measured.latencies.response.totalCount shouldBe 0
        }
    }

    @Test
    fun `the engine ends with its stdin, even in the middle of a drive`() {
        TruthServer.start { it.answer(okAnswer("ok")) }.use { server ->
            val process = ProcessBuilder(javaCommand(emptyList(), ENGINE_MAIN))
                .redirectError(ProcessBuilder.Redirect.DISCARD).start()
            try {
                val lines = process.inputReader()
                lines.readLine() shouldContain "Done"
                process.outputStream.write(
                    (
                        engineJson.encodeToString(
                            EngineCommand.serializer(),
                            EngineCommand.Drive(1, longDrive(server.port)),
                        ) + "\n"
                        ).toByteArray(),
                )
                process.outputStream.flush()
                lines.readLine() shouldContain "Second"
                process.outputStream.close()
                process.waitFor(10, TimeUnit.SECONDS) shouldBe true
            } finally {
                process.destroyForcibly()
            }
        }
    }

    @Test
    fun `an engine whose process dies says so instead of hanging`(@TempDir folder: Path) {
        TruthServer.start { it.answer(okAnswer("ok")) }.use { server ->
            ForkedEngine.start(listOf(0), folder.resolve("engine.log"), optimised = false).use { mine ->
                val running = CountDownLatch(1)
                val killer = thread {
                    running.await(20, TimeUnit.SECONDS)
                    ProcessHandle.of(mine.pid).ifPresent { it.destroyForcibly() }
                }
                shouldThrow<EngineFailed> { mine.drive(longDrive(server.port)) { running.countDown() } }.message shouldContain
                    "ended"
                killer.join()
                shouldThrow<EngineFailed> { mine.drive(longDrive(server.port)) }
            }
        }
    }

    @Test
    fun `closing the engine ends its process`(@TempDir folder: Path) {
        val mine = ForkedEngine.start(emptyList(), folder.resolve("engine.log"), optimised = false)
        mine.close()
        ProcessHandle.of(mine.pid).map { it.isAlive }.orElse(false) shouldBe false
    }
}
