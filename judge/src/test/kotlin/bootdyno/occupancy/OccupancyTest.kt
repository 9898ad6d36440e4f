package bootdyno.occupancy

import bootdyno.model.SocketReading
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Thread dumps as the JDKs write them, of which the truth is known: requests, and what they do. */
class OccupancyTest {
    @Test
    fun `ten thread dumps that agree are enough, and a resource that is waited for in some of them is not settled`() {
        fun waits(dumps: Int, waiting: (Int) -> Int) =
            diagnosis(dumps) { dump -> listOf(virtual(waiting(dump), "$PARKED$BORROW$REPOSITORY"), virtual(10, QUERY)) }
        isSettled(waits(9) { 50 }) shouldBe false
        isSettled(waits(10) { 50 }) shouldBe true
        // The same number of busy threads in each dump, of which none waits in the last one.
        val flickering = diagnosis(12) { dump ->
            listOf(virtual(if (dump == 11) 0 else 1, "$PARKED$BORROW$REPOSITORY"), virtual(if (dump == 11) 51 else 50, QUERY))
        }
        isSettled(flickering) shouldBe false
    }

    @Test
    fun `a thread of the application's own that computes all the time handles no request`() {
        fun computing(states: (Int) -> String) = occupancyOf { dump ->
            listOf(platform(10, QUERY, "RUNNABLE"), platform(1, own("Reindexing.run", 7), states(dump), name = "reindex"))
        }.computing.mapValues { "${it.value}" }
        computing { "RUNNABLE" } shouldBe mapOf("reindex" to "Reindexing.run, line 7")
        val asleep = platform(1, "$ASLEEP${own("Reindexing.run", 7)}", "TIMED_WAITING", name = "reindex")
        occupancyOf(asleep).computing shouldBe emptyMap()
    }

    @Test
    fun `a thread that calls a peer serves no request, and one that executes a listener does`() {
        val call = "org.springframework.web.client.RestTemplate.doExecute(RestTemplate.java:900)"
        val calling = "$READING$call${own("Prices.read", 9)}java.lang.Thread.run(Thread.java:1474)"
        occupancyOf(platform(1, calling, "RUNNABLE", "prices-")).requests.distinct() shouldContainExactly listOf(0)
        val container = $$"org.springframework.kafka.listener.KafkaMessageListenerContainer$ListenerConsumer"
        val message = "$READING${own("Prices.read", 9)}$container.invokeListener(Some.java:1)"
        val found = occupancyOf { List(3) { platform(1, message, "RUNNABLE", "prices-$it-C-") } }.resources.single()
        found.noun shouldBe "Kafka listener threads"
        found.inUse.distinct() shouldContainExactly listOf(3)
    }

    @Test
    fun `requests that only sleep wait for no resource`() {
        val found = occupancyOf(virtual(500, "$ASLEEP${own("Quotes.quote", 13)}$TOMCAT", "TIMED_WAITING"))
        found.resources.shouldBeEmpty()
        found.activities.single().doing shouldBe Doing.SLEEPING
        found.requests.distinct() shouldContainExactly listOf(500)
    }

    @Test
    fun `an idle application has no requests`() {
        val found = occupancyOf(platform(10, NO_REQUEST))
        found.requests.distinct() shouldContainExactly listOf(0)
        found.resources.shouldBeEmpty()
        found.activities.shouldBeEmpty()
    }

    @Test
    fun `dumps before the load is complete do not count`() {
        val requests = listOf(0, 0, 10, 120, 200) + List(15) { 200 }
        val busy = diagnosis { dump ->
            listOf(quoting(requests[dump]), platform(1, NO_REQUEST))
        }
        val sockets = List(20) { SocketReading(it * 0.1, if (it < 4) 200 else 400, emptyMap()) }
        val found = occupancy(busy.copy(sockets = sockets))
        found.observations shouldBe 16
        found.resources.single().size shouldBe 200
    }

    @Test
    fun `requests that give way again and again are busy waiting, also in a library, but not within the JDK`() {
        fun seen(call: String) = occupancyOf(
            platform(9, "java.lang.Thread.yield0(Native Method)\njava.lang.Thread.yield(Thread.java:462)\n$call", "RUNNABLE"),
            sleeping(3),
        ).spinning
        val own = "com.acme.Orders.find(Orders.java:42)\n$TOMCAT"
        seen(own).shouldNotBeNull().run { "$share of ${caller.method}, $at" } shouldBe "0.75 of find, Orders.find, line 42"
        seen("com.zaxxer.hikari.util.ConcurrentBag.requite(ConcurrentBag.java:180)\n$own").shouldNotBeNull().caller.type shouldBe
            "com.zaxxer.hikari.util.ConcurrentBag"
        seen("java.util.concurrent.Exchanger.exchange(Exchanger.java:540)\n$own") shouldBe null
    }

    private fun sleeping(count: Int) =
        platform(count, "java.lang.Thread.sleep(Native Method)\ncom.acme.Orders.find(Orders.java:40)\n$TOMCAT", "TIMED_WAITING")

    @Test
    fun `what waits on a condition without others that hold something awaits a result`() {
        val waiting = """
            java.lang.Object.wait0(Native Method)
            java.lang.Object.wait(Object.java:389)
            ${own("Answer.await", 8)}
        """
        val found = occupancyOf { dump -> listOf(virtual(30 + dump % 4, "$waiting$TOMCAT")) }
        found.resources.shouldBeEmpty()
        found.activities.single().doing shouldBe Doing.AWAITING_RESULT
    }
}
