package bootdyno.diagnose

import bootdyno.model.Variant
import bootdyno.system.pause
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Facts from texts of known content. */
class FactsTest {
    private fun threads(json: String): List<SeenThread> = dumpsOf(json.byteInputStream()).single().threads

    @Test
    fun `a dump of JDK 25 says what a thread waits for, and a waiting owner has given up its monitor`() {
        val seen = threads(
            """{"threadDump": {"processId": "1", "threadContainers": [
              {"container": "<root>", "parent": null, "threads": [
                {"tid": "3", "name": "main", "state": "WAITING", "stack": ["java.base/java.lang.Object.wait0(Native Method)"],
                 "waitingOn": "java.lang.Object@1", "monitorsOwned": [{"depth": 2, "locks": ["java.lang.Object@1", null, "Other@2"]}]},
                {"tid": 6, "name": "compiled", "state": "TIMED_WAITING", "stack": ["java.base/java.lang.Object.wait0(Native Method)"],
                 "monitorsOwned": [{"depth": 5, "locks": ["Other@7"]}, {"depth": 3, "locks": ["java.lang.Object@8"]}]},
                {"tid": 4, "virtual": true, "name": "", "state": "BLOCKED", "stack": [], "blockedOn": "Other@2"}]},
              {"container": "java.util.concurrent.ThreadPoolExecutor@9", "parent": "<root>", "threads": [
                {"tid": "5", "name": "pool-1-thread-1", "state": "WAITING", "stack": [],
                 "parkBlocker": {"object": "java.util.concurrent.locks.ReentrantLock${'$'}FairSync@3", "owner": "3"}}]}]}}""",
        )
        seen.map { it.id }.shouldContainExactly(3, 6, 4, 5)
        seen[0].waitsFor shouldBe "java.lang.Object@1"
        seen[0].owns.shouldContainExactly("Other@2", "java.util.concurrent.locks.ReentrantLock${'$'}FairSync@3")
        seen[0].executor shouldBe null
        (seen[1].waitsFor to seen[1].owns) shouldBe ("java.lang.Object@8" to listOf("Other@7"))
        (seen[2].virtual to seen[2].waitsFor) shouldBe (true to "Other@2")
        seen[3].executor shouldBe "java.util.concurrent.ThreadPoolExecutor@9"
    }

    @Test
    fun `a dump of JDK 21 has names and stacks alone`() {
        val seen = threads(
            """{"threadDump": {"processId": "1", "time": "2026-11-23T06:38:09Z", "runtimeVersion": "21.0.4", "threadContainers": [
              {"container": "<root>", "parent": null, "owner": null, "threads": [
                {"tid": "1", "name": "main", "stack": ["java.base/java.lang.Thread.sleep0(Native Method)"]}], "threadCount": "1"}]}}""",
        )
        seen.single() shouldBe SeenThread(1, "main", calls = listOf("java.base/java.lang.Thread.sleep0(Native Method)"))
    }

    @Test
    fun `stacks and frames are stored once, without modules, loaders and addresses of hidden classes`() {
        val table = StackTableBuilder()
        val sleep = "java.base/java.lang.Thread.sleep(Thread.java:540)"
        table.indexOf(listOf(sleep, "app//Main.main(Main.java:3)")) shouldBe 0
        table.indexOf(listOf("java.lang.Thread.sleep(Thread.java:540)", "Main.main(Main.java:3)")) shouldBe 0
        table.indexOf(listOf(sleep, "shop.Orders${'$'}${'$'}Lambda/0x00007f3c100a2cd8.run(Unknown Source)")) shouldBe 1
        table.indexOf(emptyList()) shouldBe 2
        val built = table.build()
        built.frames.shouldContainExactly(
            "java.lang.Thread.sleep(Thread.java:540)",
            "Main.main(Main.java:3)",
            "shop.Orders${'$'}${'$'}Lambda.run(Unknown Source)",
        )
        built.stacks shouldBe listOf(listOf(0, 1), listOf(0, 2), emptyList())
        built.stack(1).map { it.method }.shouldContainExactly("sleep", "run")
    }

    @Test
    fun `threads without a stack and those of our own observation are left out`() {
        val here = listOf("Main.main(Main.java:3)")
        val threads = listOf(
            SeenThread(1, "worker-1", calls = here),
            SeenThread(2, "worker-2", calls = here),
            SeenThread(3, "Signal Dispatcher"),
            SeenThread(4, "RMI TCP Connection(1)-127.0.0.1", calls = here),
            SeenThread(5, "JFR Recorder Thread", calls = here),
        )
        StackTableBuilder().grouped(threads).map { it.name to it.count }.shouldContainExactly("worker-" to 2)
    }

    @Test
    fun `objects of pooled connections are counted, and no others`() {
        val histogram = """
             num     #instances         #bytes  class name (module)
            -------------------------------------------------------
               1:         12345        9876543  [B (java.base@25.0.3)
              77:            10            640  com.zaxxer.hikari.pool.PoolEntry
            Total         12355        9877183
        """.trimIndent()
        countsOf(histogram) shouldBe mapOf("com.zaxxer.hikari.pool.PoolEntry" to 10L)
        countsOf("") shouldBe emptyMap()
    }

    @Test
    fun `values that a variant itself sets stay, be it as setting, variable or flag`() {
        val hikari = "spring.datasource.hikari.register-mbeans"
        val admin = "spring.application.admin.enabled"
        observable(Variant("a", "s")).settings shouldBe mapOf(hikari to "true", admin to "true")
        val tomcat = "server.tomcat.mbeanregistry.enabled"
        observable(Variant("a", "s"), change = true).settings.keys shouldBe setOf(hikari, admin, tomcat)
        observable(Variant("a", "s", mapOf(tomcat to "false")), change = true).settings[tomcat] shouldBe "false"
        val settings = mapOf(hikari to "false", "server.tomcat.threads.max" to "50")
        observable(Variant("a", "s", settings)).settings shouldBe settings + (admin to "true")
        observable(Variant("a", "s", jvm = listOf("-D$admin=false"))).settings.keys.shouldContainExactly(hikari)
        val environment = mapOf(
            "SPRING_DATASOURCE_HIKARI_REGISTERMBEANS" to "false",
            "SPRING_APPLICATION_ADMIN_ENABLED" to "false",
        )
        observable(Variant("a", "s", environment = environment)).settings shouldBe emptyMap()
    }

    @Test
    fun `pressure is the growth of the kernel's totals over the time, as shares`(@TempDir proc: Path) {
        val folder = proc.resolve("pressure").createDirectories()
        fun write(resource: String, total: Long) =
            folder.resolve(resource).writeText("some avg10=0.00 avg60=0.00 avg300=0.00 total=$total\nfull avg10=0.00 total=7\n")
        write("cpu", 1_000_000)
        write("io", 5)
        val reader = PressureReader(group = null, proc)
        reader.isOfMachine shouldBe true
        write("cpu", 3_500_000)
        write("io", 5)
        reader.read(5.0) shouldBe mapOf("cpu" to 0.5, "io" to 0.0)
    }

    @Test
    fun `CPU time and run-queue wait of threads are summed by name, in CPUs`(@TempDir proc: Path) {
        fun write(thread: Int, name: String, ran: Long, waited: Long) = proc.resolve("7/task/$thread").createDirectories().run {
            resolve("comm").writeText("$name\n")
            resolve("schedstat").writeText("$ran $waited 3\n")
        }
        write(1, "http-nio-8080-e", 1_000_000_000, 0)
        write(2, "worker-1", 0, 0)
        write(3, "worker-2", 5_000_000_000, 1_000_000_000)
        write(4, "RMI TCP Connecti", 1, 0)
        val reader = ThreadCpuReader(7, proc)
        write(2, "worker-1", 2_000_000_000, 0)
        write(3, "worker-2", 9_000_000_000, 3_000_000_000)
        write(4, "RMI TCP Connecti", 4_000_000_000, 0)
        val read = reader.read(4.0)
        read.single().run {
            name shouldBe "worker-"
            threads shouldBe 2
            cpus shouldBe 1.5
            busiest shouldBe 1.0
            waiting shouldBe 0.5
        }
        ThreadCpuReader(8, proc).read(4.0).shouldBeEmpty()
    }

    @Test
    fun `random moments end with the diagnosis, and work takes at most half of the time`() {
        // Twice a gap of 30 ms at least and 60 ms of work; then gaps of 60 ms at least. Shorter gaps would leave time for 22.
        (momentsOf { 60.milliseconds } in 1..18) shouldBe true
    }

    @Test
    fun `a first reading that takes long, because classes are loaded, does not keep the others away`() {
        momentsOf { if (it == 1) 1.2.seconds else 10.milliseconds } shouldBeGreaterThan 1
    }

    /** How many there are in 2 s, if the work of each one takes so long. */
    private fun momentsOf(work: (Int) -> Duration): Int {
        val ends = ObservationEnd(TimeSource.Monotonic.markNow() + 2.seconds)
        var moments = 0
        Moments(ends, 1.milliseconds, seed = 1).forEach { pause(work(++moments)) }
        return moments
    }
}
