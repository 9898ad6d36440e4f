package bootdyno.explain

import bootdyno.model.LoadProfile
import bootdyno.model.Occupied
import bootdyno.model.Stack
import io.kotest.matchers.doubles.shouldBeBetween
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import kotlin.time.Duration.Companion.milliseconds

/** The law against twelve published figures (PUBLISHED: blocking-io, slow-downstream): it holds within 2 to 12 %. */
class PublishedFiguresTest {
    @ParameterizedTest
    @CsvSource(
        // blocking-io: 400 connections, 500 ms
        "TOMCAT, REQUEST_THREAD, 200, 400, 500, 392",
        "TOMCAT, DISPATCHERS_IO, 200, 400, 500, 125",
        "TOMCAT, CACHED_POOL, 200, 400, 500, 760",
        "TOMCAT, CACHED_POOL, 200, 400, 500, 764",
        "NETTY, REQUEST_THREAD, 200, 400, 500, 7.7",
        "NETTY, BOUNDED_ELASTIC, 200, 400, 500, 19.6",
        "NETTY, CACHED_POOL, 200, 400, 500, 772.27",
        // slow-downstream: 500 users; 2068 ms is what its WebFlux row, which holds nothing scarce, took on average
        "TOMCAT, REQUEST_THREAD, 200, 500, 2068, 91.2",
        "TOMCAT, REQUEST_THREAD, 400, 500, 2068, 176.7",
        "NETTY, NOTHING, 200, 500, 2068, 219.2",
        "NETTY, NOTHING, 200, 500, 2068, 220.4",
        "TOMCAT, CACHED_POOL, 200, 500, 2068, 219.3",
    )
    fun `the tightest ceiling is 2 to 12 percent above what was published`(
        stack: Stack,
        occupies: Occupied,
        threads: String,
        connections: Int,
        holdsMs: Int,
        published: Double,
    ) {
        val settings = mapOf("server.tomcat.threads.max" to threads)
        val cell = cell(stack, occupies, settings, load = LoadProfile.Closed(connections), holds = holdsMs.milliseconds)
        val allows = configuredCeilings(cell).first().allows ?: 0.0
        (allows / published).shouldBeBetween(1.02, 1.12, 0.0)
    }
}
