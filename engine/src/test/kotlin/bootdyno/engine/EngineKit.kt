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
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Assumptions.assumeFalse
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.net.InetAddress
import java.net.ServerSocket
import kotlin.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/**
 * What every load engine must show, against servers whose truth is known. Lower bounds are strict, no engine may stamp less
 * than the truth; upper ones leave room for a machine that is busy with other things, and fail on an engine that hides or
 * invents waiting.
 *
 * An engine's test class implements the kits of what the engine declares: [ClosedKit], [OpenKit], [BurstKit]; and
 * [UnansweredKit] where it sees requests that are never answered.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
interface EngineKit {
    /** A warm engine, the same for all tests. */
    val engine: LoadEngine

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
     * It is a new process in each drive, slow at first and asking late: a request may time out before it is sent. Since a drive takes
     * seconds, what another kit shows of it as well is not shown again.
     */
    val startsCold: Boolean get() = false

    /** It goes on asking after the window for a while, which it does not count: the server sees more than it tells. */
    val asksOn: Boolean get() = false

    /** How many it may tell of [seen] by the server, [underWay] being the most that are under way at a time. */
    fun mayTell(seen: Long, underWay: Long): LongRange = if (asksOn) 1..seen else seen - underWay..seen

    /** Other tests run meanwhile. Generators that are started from now on, and the servers here, go before them where that is permitted. */
    @BeforeAll
    fun runFirst() = threadIds(ProcessHandle.current().pid()).forEach { setNice(it, FIRST_NICE) }

    @Test
    fun `it is held to the kits of all that it declares`() {
        (this is ClosedKit) shouldBe (LoadKind.CLOSED in engine.kind.loads)
        (this is OpenKit) shouldBe (LoadKind.OPEN in engine.kind.loads)
        (this is BurstKit) shouldBe (LoadKind.BURST in engine.kind.loads)
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

/** Passes a test over where another of the kits shows [asMuch]. */
fun shownUnless(asMuch: Boolean) = assumeFalse(asMuch, "another kit shows as much of it")

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

/** The least that the engine may stamp where [millis] are the truth. */
fun EngineKit.atLeast(millis: Double) = millis - 0.1 - resolution.toDouble(DurationUnit.MILLISECONDS)

/** 0.99 × 5 + 0.01 × 500 = 9.95. wrk's correction prints a mean of 85 and a p90 of 346 here. */
fun EngineKit.shouldHaveSeenTheHundredth(measured: LoadMeasured) {
    val response = measured.latencies.response
    response.meanMillis shouldBe (9.95 plusOrMinus 8.0)
    response.millis(50.0) shouldBe (5.0 plusOrMinus 4.0)
    response.millis(0.0) shouldBeGreaterThanOrEqual atLeast(5.0)
    response.millis(99.9) shouldBe (500.0 plusOrMinus 100.0)
    measured.found.errors shouldBe emptyMap()
    // The kernel tells CPU time in ticks of 10 ms: it takes this many requests to be sure of one.
    measured.found.generator.cpuSeconds shouldBeGreaterThan 0.0
}

fun refusedPort() = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
