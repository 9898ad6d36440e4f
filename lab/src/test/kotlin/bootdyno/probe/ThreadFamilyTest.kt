package bootdyno.probe

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class ThreadFamilyTest {
    @ParameterizedTest
    @CsvSource(
        "http-nio-8080-e, TOMCAT",
        "http-nio-8080-exec-12, TOMCAT",
        "http-nio-54321-, TOMCAT",
        "http-ni..xec-12, TOMCAT",
        "https-jsse-nio-, TOMCAT",
        "http-nio-8080-P, OTHER",
        "http-nio-8080-A, OTHER",
        "http-nio-8080-Acceptor, OTHER",
        "http-ni..Poller, OTHER",
        "http-ni..ceptor, OTHER",
        "DefaultDispatch, DISPATCHERS",
        "DefaultDispatcher-worker-1, DISPATCHERS",
        "Default..ker-10, DISPATCHERS",
        "boundedElastic-, BOUNDED_ELASTIC",
        "boundedElastic-3, BOUNDED_ELASTIC",
        "bounded..stic-1, BOUNDED_ELASTIC",
        "boundedElastic-evictor-1, OTHER",
        "bounded..ctor-1, OTHER",
        "reactor-http-ep, EVENT_LOOP",
        "reactor-http-nio-2, EVENT_LOOP",
        "reactor..poll-1, EVENT_LOOP",
        "multiThreadIoEv, EVENT_LOOP",
        "parallel-1, PARALLEL",
        "pool-1-thread-1, CACHED_POOL",
        "pool-2-thread-123, CACHED_POOL",
        "pool-1-..ad-123, CACHED_POOL",
        "ForkJoinPool-1-, CARRIER",
        "ForkJoinPool-1-worker-2, CARRIER",
        "ForkJoinPool.co, OTHER",
        "C1 CompilerThre, COMPILER",
        "C2 Comp..read#0, COMPILER",
        "GC Thread#0, GC",
        "G1 Conc#0, GC",
        "ZWorkerYoung#0, GC",
        "ZDriverMinor, GC",
        "VM Thread, OTHER",
        "java, OTHER",
        "HikariPool-1 ho, OTHER",
    )
    fun `a thread's name tells what it works for`(name: String, family: ThreadFamily) {
        threadFamily(name) shouldBe family
    }

    @Test
    fun `an acceptor and a poller whose names are cut like the workers' are not counted as workers`() {
        // A port of five digits leaves 15 characters that all threads of the connector share: 200 workers, 1 acceptor, 1 poller.
        threadFamilies(List(202) { "http-nio-54321-" } + "java") shouldBe
            mapOf(ThreadFamily.TOMCAT to 200, ThreadFamily.OTHER to 3)
    }

    @Test
    fun `with virtual threads there are no workers, only the acceptor and the poller`() {
        threadFamilies(List(2) { "http-nio-54321-" }) shouldBe mapOf(ThreadFamily.OTHER to 2)
    }

    @Test
    fun `the evictor of Reactor's bounded elastic scheduler is not counted as one of its workers`() {
        threadFamilies(List(11) { "boundedElastic-" }) shouldBe mapOf(ThreadFamily.BOUNDED_ELASTIC to 10, ThreadFamily.OTHER to 1)
    }
}
