package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import io.kotest.matchers.shouldBe
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class LimitNameTest {
    @ParameterizedTest
    @CsvSource(
        "DATABASE_CONNECTIONS, HikariCP connections, 10, 10 HikariCP connections, allow",
        "DATABASE_CONNECTIONS, R2DBC connections, , R2DBC connections, allow",
        "CARRIERS, carriers of virtual threads, 1, 1 carrier of virtual threads, allows",
        "SEMAPHORE, concurrent calls of a Resilience4j bulkhead, 1, 1 concurrent call of a Resilience4j bulkhead, allows",
        "EVENT_LOOPS, threads of reactor-http-epoll, 1, 1 thread of reactor-http-epoll, allows",
        "EVENT_LOOPS, event loops, 1, 1 event loop, allows",
        "SEMAPHORE, permits of the semaphore in Orders, , permits of the semaphore in Orders, allow",
        "POOL, objects of a reactor-pool, , objects of a reactor-pool, allow",
        "MONITOR, monitor of Orders, 1, 'monitor of Orders in Orders.find', allows",
        "RATE_LIMITER, Guava rate limiter, , 'Guava rate limiter in Orders.find', allows",
    )
    fun `a limit's name and the verb after it agree with the number of its units`(
        kind: ResourceKind,
        noun: String,
        size: Int?,
        name: String,
        verb: String,
    ) {
        val limit = resource(kind, noun, size, inUse = 1, waiting = 1).name
        "$limit ${limit.verb("allow")}" shouldBe "$name $verb"
    }
}
