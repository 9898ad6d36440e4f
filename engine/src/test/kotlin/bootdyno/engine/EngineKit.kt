package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadKind
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.system.FIRST_NICE
import bootdyno.system.setNice
import bootdyno.system.threadIds
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.net.InetAddress
import java.net.ServerSocket
import kotlin.reflect.KClass
import kotlin.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.seconds

/** What the kits must know of an engine. */
interface EngineTraits {
    /** The smallest difference of latency that it records. */
    val resolution: Duration get() = 1.microseconds

    /** What this engine calls a failure that has happened for [cause]; null: it takes it for a good answer. */
    fun told(cause: ErrorCause): ErrorCause? = cause

    /** Whether a fault of this name leaves it able to go on: after some, what is read next on that connection makes no sense. */
    fun meets(fault: String): Boolean = true

    /**
     * It asks again, without saying so, where a connection that it has kept turns out to be closed: in the kits each fault then
     * comes on a connection of its own.
     */
    val asksAgain: Boolean get() = false

    /**
     * It is a new process in each drive, slow at first and asking late: what depends on time is shown of it in [RecordedTimes]. Since a
     * drive takes seconds, what another kit shows of it as well is not shown again.
     */
    val startsCold: Boolean get() = false

    /** It goes on asking after the window for a while, which it does not count: the server sees more than it tells. */
    val asksOn: Boolean get() = false

    /** Whether it waits for requests under way, and tells how many were never answered. */
    val seesUnanswered: Boolean get() = true

    /** Whether it knows when each request of open load was due and when it left, and tells latencies as they come. */
    val stampsEachSend: Boolean get() = true

    /** How many it may tell of [seen] by the server, [underWay] being the most that are under way at a time. */
    fun mayTell(seen: Long, underWay: Long): LongRange = if (asksOn) 1..seen else seen - underWay..seen
}

/** Other tests run meanwhile. Generators that are started from now on, and the servers here, go before them where that is permitted. */
internal fun goFirst() = threadIds(ProcessHandle.current().pid()).forEach { setNice(it, FIRST_NICE) }

/**
 * What every load engine must show in real drives: what it sends, and into which class each answer comes. Counts are exact; nothing here
 * depends on how fast the machine is.
 *
 * An engine's test class implements the kits of what the engine declares: [ClosedKit], [OpenKit], [BurstKit]; and
 * [UnansweredKit] where it sees requests that are never answered. No kit passes over a test: what another kit of the engine shows as well is
 * a kit of its own, [ClosedCountKit] and [BurstFaultsKit]. Its times are held to the truth by [TimingKit], and each build makes one run of it,
 * [LiveRunKit].
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
interface EngineKit : EngineTraits {
    /** A warm engine, the same for all tests. */
    val engine: LoadEngine

    /** The test class of its times, and of one run of it in each build. */
    val timing: KClass<out TimingKit>
    val liveRun: KClass<out LiveRunKit>

    @BeforeAll
    fun runFirst() = goFirst()

    @Test
    fun `it is held to the kits of all that it declares`() {
        (this is ClosedKit) shouldBe (LoadKind.CLOSED in engine.kind.loads)
        (this is OpenKit) shouldBe (LoadKind.OPEN in engine.kind.loads)
        (this is BurstKit) shouldBe (LoadKind.BURST in engine.kind.loads)
        (this is ClosedCountKit) shouldBe (this is ClosedKit && !(startsCold && this is BurstKit))
        (this is BurstFaultsKit) shouldBe (this is BurstKit && this !is BurstTimingKit)
        (this is UnansweredKit) shouldBe seesUnanswered
        listOf(timing, liveRun).filter { it.java.isInterface } shouldBe emptyList()
    }

    @Test
    fun `a load that it does not make is refused as a failure of its own`() {
        val all = mapOf(
            LoadKind.CLOSED to LoadProfile.Closed(1),
            LoadKind.OPEN to LoadProfile.Open(1.0),
            LoadKind.BURST to LoadProfile.Burst(1, 1),
        )
        (all - engine.kind.loads).values.forEach { shouldThrow<EngineFailed> { engine.drive(order(1, it, window = 1.seconds)) } }
    }
}

fun order(
    port: Int,
    load: LoadProfile,
    window: Duration,
    settle: Duration = Duration.ZERO,
    expect: Expectation = Expectation(body = "ok"),
    timeout: Duration = 10.seconds,
    drain: Duration = 10.seconds,
) = LoadOrder(
    host = "127.0.0.1",
    port = port,
    steps = listOf(Step("path", path = "/path?ms=5", expect = expect)),
    load = load,
    settle = settle,
    window = window,
    timeout = timeout,
    drain = drain,
    seed = 1,
)

/** The same order with another request. */
fun LoadOrder.asking(change: Step.() -> Step) = copy(steps = steps.map(change))

val good = okAnswer("ok")

fun Histogram.millis(percentile: Double) = getValueAtPercentile(percentile) / 1e6

val Histogram.meanMillis get() = mean / 1e6

/** By Little's law. */
val LoadMeasured.meanInFlight get() = found.answered / found.windowSeconds * latencies.response.meanMillis / 1e3

fun refusedPort() = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
