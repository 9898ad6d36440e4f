package bootdyno.diagnose

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

private fun thread(id: Int, name: String, state: String, calls: String, locks: String) = """
    {"threadName": "$name", "threadId": $id, "blockedTime": -1, "threadState": "$state", "stackTrace": [$calls], $locks}
"""

private fun call(type: String, method: String, file: String?, line: Int) = """
    {"moduleName": null, "methodName": "$method", "fileName": ${file?.let {
    "\"$it\""
}}, "lineNumber": $line, "className": "$type",
     "nativeMethod": ${line == -2}}
"""

/** Of two threads that wait for a monitor, its owner, and the thread that makes the dump. */
internal val ACTUATOR_DUMP: String = """{"threads": [${
    listOf(1, 2).map {
        thread(
            it,
            "http-nio-8080-exec-$it",
            "BLOCKED",
            call("shop.Orders", "next", "Orders.java", 42),
            """"lockName": "shop.Orders@ff", "lockOwnerId": 3, "lockedMonitors": []""",
        )
    }.plus(
        thread(
            3,
            "owner",
            "TIMED_WAITING",
            call("java.lang.Thread", "sleep0", "Thread.java", -2) + "," + call("shop.Orders${'$'}Lambda", "run", null, -1),
            """"lockName": null, "lockOwnerId": -1, "lockedMonitors": [{"className": "shop.Orders", "identityHashCode": 255}]""",
        ),
    ).plus(
        thread(
            4,
            "http-nio-8080-exec-3",
            "RUNNABLE",
            call("org.springframework.boot.actuate.management.ThreadDumpEndpoint", "threadDump", "ThreadDumpEndpoint.java", 50),
            """"lockOwnerId": -1""",
        ),
    ).joinToString()
}]}"""

internal fun metric(value: Int, vararg pools: String = arrayOf("HikariPool-1")): String =
    """{"name": "hikaricp", "baseUnit": null, "measurements": [{"statistic": "VALUE", "value": $value}],
        "availableTags": [{"tag": "pool", "values": [${pools.joinToString { "\"$it\"" }}]}]}"""

class ActuatorReaderTest {
    private val draft = DiagnosisDraft(0.0)

    private fun reader(vararg bodies: Pair<String, String>) = ActuatorReader(bodies.toMap()::get, draft)

    @Test
    fun `threads, their locks and owners are read, without the thread that makes the dump`() {
        val dump = reader("/actuator/threaddump" to ACTUATOR_DUMP).dump { 7.0 }.shouldNotBeNull()
        dump.at shouldBe 7.0
        dump.threads.map { it.name to it.count }.shouldContainExactly("http-nio-8080-exec-" to 2, "owner" to 1)
        val (blocked, owner) = dump.threads
        (blocked.state to blocked.waitsFor) shouldBe ("BLOCKED" to "shop.Orders@ff")
        owner.owns.shouldContainExactly("shop.Orders@ff")
        draft.end(8.0).stacks.frames.shouldContainExactly(
            "shop.Orders.next(Orders.java:42)",
            "java.lang.Thread.sleep0(Native Method)",
            "shop.Orders${'$'}Lambda.run(Unknown Source)",
        )
    }

    @Test
    fun `an absent endpoint and a login page are no dump`() {
        reader().dump { 0.0 }.shouldBeNull()
        reader("/actuator/threaddump" to "<html>Please log in</html>").dump { 0.0 }.shouldBeNull()
        reader("/actuator/threaddump" to "{}").dump { 0.0 }.shouldBeNull()
        reader().pools(0.0).shouldBeEmpty()
    }

    @Test
    fun `metrics of pools are named as their MBeans are`() {
        val found = reader(
            "/actuator/metrics/hikaricp.connections.active" to metric(10),
            "/actuator/metrics/hikaricp.connections.pending" to metric(90),
            "/actuator/metrics/hikaricp.connections.max" to metric(10),
        ).pools(3.0)
        found.map { Triple(it.at, it.bean, it.values) }.shouldContainExactly(
            Triple(
                3.0,
                "com.zaxxer.hikari:type=Pool (HikariPool-1)",
                mapOf("ActiveConnections" to 10.0, "ThreadsAwaitingConnection" to 90.0),
            ),
            Triple(3.0, "com.zaxxer.hikari:type=PoolConfig (HikariPool-1)", mapOf("MaximumPoolSize" to 10.0)),
        )
    }

    @Test
    fun `of several pools each is asked for, since a metric without a tag is their sum`() {
        val path = "/actuator/metrics/hikaricp.connections.active"
        val found = reader(
            path to metric(15, "orders", "stock 2"),
            "$path?tag=pool:orders" to metric(10, "orders"),
            "$path?tag=pool:stock+2" to metric(5, "stock 2"),
        ).pools(0.0)
        found.map { it.bean to it.values["ActiveConnections"] }.shouldContainExactly(
            "com.zaxxer.hikari:type=Pool (orders)" to 10.0,
            "com.zaxxer.hikari:type=Pool (stock 2)" to 5.0,
        )
    }
}
