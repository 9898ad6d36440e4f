package bootdyno.engine

import bootdyno.engine.netty.sum
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.NetworkFound
import bootdyno.model.OperationFound
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test
import java.util.SplittableRandom
import kotlin.time.Duration.Companion.seconds

class MergedLoadTest {
    private val random = SplittableRandom(7)

    private fun histogram(count: Int): Histogram =
        nanoHistogram().apply { repeat(count) { recordNanos((1e3 * Math.exp(random.nextDouble(0.0, 20.0))).toLong()) } }

    private fun part(count: Int, generator: GeneratorFound, connect: Histogram? = histogram(3)): StartedMeasured {
        val operations = mapOf("create" to histogram(count / 2), "read" to histogram(count - count / 2))
        val found = LoadFound(
            engine = "dyno",
            windowSeconds = 10.0 + count / 1000.0,
            answered = count.toLong(),
            errors = mapOf(ErrorCause.RESET to 2L, ErrorCause.TIMEOUT to count.toLong()),
            inFlight = 3,
            due = 5,
            generator = generator,
            leftBefore = 0,
            leftAfter = 1,
            drainSeconds = count / 10.0,
            operations = operations.map { (name, it) -> OperationFound(name, it.totalCount, mapOf(ErrorCause.RESET to 1L), 1) },
            network = NetworkFound(2, 0.1 * count, 0.2 * count, 0.3 * count, segments = 10L * count, sentAgain = 1),
        )
        val latencies = LatencyHistograms(
            response = histogram(count),
            service = histogram(count),
            unanswered = histogram(3),
            connect = connect,
            operations = operations,
            unansweredOperations = operations.mapValues { histogram(1) },
            entered = histogram(2),
            enteredOperations = operations.mapValues { histogram(1) },
        )
        return StartedMeasured(LoadMeasured(found, latencies), startedWithinNanos = count * 1_000L)
    }

    /** Number of values in each bucket. */
    private fun Histogram.buckets(): Map<Long, Long> = recordedValues().associate {
        it.valueIteratedTo to it.countAddedInThisIterationStep
    }

    private fun added(histograms: List<Histogram>): Map<Long, Long> = histograms.flatMap {
        it.buckets().entries
    }.groupingBy { it.key }.fold(0L) { sum, entry -> sum + entry.value }.toSortedMap()

    private val order = order(1, LoadProfile.Closed(10), window = 10.seconds)
    private val first = part(2_000, GeneratorFound(1.0, 2.0, 0.5, 1.0, 2.0, waitShare = 0.01, transport = "epoll"))
    private val second = part(3_000, GeneratorFound(3.0, 4.0, 0.25, 1.5, 9.0, waitShare = 0.02, transport = "nio"))

    @Test
    fun `merged histograms are the sum of their parts in each bucket, after their way over the wire, too`() {
        val overTheWire = listOf(first, second).map {
            val line = engineJson.encodeToString(EngineReply.serializer(), it.measured.toLine(1))
            val read = engineJson.decodeFromString(EngineReply.serializer(), line) as EngineReply.Measured
            StartedMeasured(read.toMeasured(), it.startedWithinNanos)
        }
        val parts = listOf(first, second).map { it.measured.latencies }
        val merged = merged(order, listOf("a", "b"), overTheWire).latencies
        merged.response.buckets() shouldBe added(parts.map { it.response })
        merged.response.totalCount shouldBe 5_000
        merged.service.buckets() shouldBe added(parts.map { it.service })
        merged.unanswered.buckets() shouldBe added(parts.map { it.unanswered })
        merged.connect?.buckets() shouldBe added(parts.mapNotNull { it.connect })
        merged.entered?.buckets() shouldBe added(parts.mapNotNull { it.entered })
        listOf("create", "read").forEach { name ->
            merged.operations.getValue(name).buckets() shouldBe added(parts.map { it.operations.getValue(name) })
            merged.enteredOperations.getValue(name).buckets() shouldBe added(parts.map { it.enteredOperations.getValue(name) })
        }
    }

    @Test
    fun `counts are added, and of lags, waits and round trips the worst counts`() {
        val found = merged(order, listOf("a", "b"), listOf(first, second)).found
        found.answered shouldBe 5_000
        found.errors shouldBe mapOf(ErrorCause.RESET to 4L, ErrorCause.TIMEOUT to 5_000L)
        found.inFlight shouldBe 6
        found.due shouldBe 10
        found.leftAfter shouldBe 2
        found.drainSeconds shouldBe 300.0
        found.windowSeconds shouldBe 12.5
        found.operations.map { it.name to it.answered } shouldContainExactly listOf("create" to 2_500L, "read" to 2_500L)
        found.generator shouldBe GeneratorFound(4.0, 6.0, 0.5, 1.5, 9.0, waitShare = 0.02, transport = "epoll, nio")
        found.network shouldBe NetworkFound(4, 200.0, 600.0, 900.0, segments = 50_000, sentAgain = 2)
        found.agents.map { it.host } shouldContainExactly listOf("a", "b")
        found.agents.map { it.startedWithinMs } shouldContainExactly listOf(2.0, 3.0)
        found.agents.map { it.generator } shouldContainExactly listOf(first, second).map { it.measured.found.generator }
    }

    @Test
    fun `seconds are merged by their number, and an agent that has ended keeps its counts`() {
        fun second(at: Double, answered: Long, vararg millis: Long) = DriveSecond(
            LoadSecond(at, inWindow = true, answered, errors = 1, inFlight = 2, p99Ms = null),
            nanoHistogram().apply { millis.forEach { recordNanos(it * 1_000_000) } },
        )
        val told = mutableListOf<LoadSecond>()
        val merging = MergedSeconds(2, told::add)
        merging.add(0, second(1.0, 10, 5, 5, 5))
        merging.add(0, second(2.0, 20, 5))
        told.size shouldBe 0
        merging.add(1, second(1.1, 100, 90))
        told.map { it.at to it.answered } shouldContainExactly listOf(1.1 to 110L)
        told.single().p99Ms.let { checkNotNull(it).toInt() } shouldBe 90
        merging.ended(1)
        merging.add(0, second(3.0, 30, 5))
        merging.ended(0)
        told.map { it.answered } shouldContainExactly listOf(110L, 120L, 130L)
        told.last().let { it.errors to it.inFlight } shouldBe (2L to 4L)
    }
}
