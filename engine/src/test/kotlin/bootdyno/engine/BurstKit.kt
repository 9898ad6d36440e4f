package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.OperationFound
import bootdyno.model.Step
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.seconds

/** What an engine must show that makes bursts. A burst leaves no request unfinished, so its counts are exact. */
interface BurstKit : EngineKit {
    @Test
    fun `many users at once are all served, and a server that closes after two requests loses none and gets none twice`() {
        val asked = AtomicLong()
        val connections = AtomicLong()
        val closing = closingAfter(2, asked)
        TruthServer.start {
            if (it.onConnection == 0L) connections.incrementAndGet()
            closing(it)
        }.use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Burst(1000, 3), window = 60.seconds, timeout = 30.seconds))
            val found = measured.found
            found.errors shouldBe emptyMap()
            found.answered shouldBe 3000
            val sinceStart = measured.latencies.sinceStart.shouldNotBeNull()
            sinceStart.totalCount shouldBe 3000
            // To three digits, and in whole milliseconds.
            sinceStart.maxValue / 1e9 shouldBeLessThan found.windowSeconds * 1.002 + 0.002
            asked.get() shouldBe 3000
            connections.get() shouldBe 2000
        }
    }

    @Test
    fun `method, path, headers and body arrive as ordered, whatever an engine may read in them, and the type is compared`() {
        val seen = ConcurrentHashMap<String, String>()
        echo(seen).use { server ->
            val path = "/a%20b?c=%23%7Bd%7D"
            val body = "{\"käse\": \"\${sorte} #{price}\", \"a\": \"\\\\\",\n\t\"b\": \"<&>\"}"
            val headers = mapOf("X-Test" to "#{yes} \${no}", "Content-Type" to "application/json")
            val steps = listOf(
                Step("post", "POST", path, headers, body, Expectation(201, body, "application/json")),
                Step("head", "HEAD", path, headers),
                Step("put", "PUT", path, headers, expect = Expectation(204)),
                Step("get", "GET", path, headers, expect = Expectation(200, contentType = "application/json")),
            )
            val found = engine.drive(order(server.port, LoadProfile.Burst(2, 3), window = 30.seconds).copy(steps = steps)).found
            val good = steps.dropLast(1).map { OperationFound(it.name, 6, emptyMap()) }
            found.operations shouldContainExactly good + OperationFound("get", 0, mapOf(ErrorCause.BODY to 6L))
            seen shouldBe
                mapOf("POST" to body, "HEAD" to "", "PUT" to "", "GET" to "").mapValues { "$path #{yes} \${no} ${it.value}" }
        }
    }
}

/** The faults of [BurstTimingKit], of an engine whose times are recorded. */
interface BurstFaultsKit : BurstKit {
    @Test
    fun `faults are each counted once, in their own class, and the classes add up to the requests`() {
        // Late as it may be, only what hangs times out.
        shouldHaveMetTheFaults(faultsInTurn(timeout = 2.seconds).serve(engine::drive))
    }
}
