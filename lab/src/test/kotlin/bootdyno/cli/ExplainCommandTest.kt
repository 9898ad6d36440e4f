package bootdyno.cli

import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.double
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText

class ExplainCommandTest(@param:TempDir private val folder: Path) {
    private val command = dyno(Home(folder))

    private fun explain(vararg words: String): CliktCommandTestResult = command.test(listOf("explain") + words)

    /** [waiting] requests wait for a connection of a HikariCP pool, while 2 use one. */
    private fun dump(second: Int, waiting: Int = 8, name: String = "http-nio-8080-exec-"): String {
        fun thread(number: Int, vararg calls: String) =
            "\"$name$number\" #${30 + number} daemon os_prio=0 cpu=1.0ms elapsed=${40 + second}.00s tid=0x1 nid=0x1 waiting\n" +
                "   java.lang.Thread.State: TIMED_WAITING (parking)\n" + calls.joinToString("\n") { "\tat $it" } +
                "\n\tat org.apache.coyote.http11.Http11Processor.service(Http11Processor.java:1)\n"

        val holders = (1..2).map {
            thread(it, "java.lang.Thread.sleep(java.base@17/Native Method)", "shop.Stock.take(Stock.kt:${12 + second % 2})")
        }
        val waiters = (3..2 + waiting).map {
            thread(
                it,
                "jdk.internal.misc.Unsafe.park(java.base@17/Native Method)",
                "java.util.concurrent.SynchronousQueue.poll(java.base@17/SynchronousQueue.java:903)",
                "com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:163)",
                "shop.Stock.take(Stock.kt:11)",
            )
        }
        return "7:\n2026-11-26 13:05:${10 + second}\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15 mixed mode):\n\n" +
            (holders + waiters).joinToString("\n") + "\nJNI global refs: 14, weak refs: 0\n"
    }

    private fun dumps(count: Int = 5, name: String = "http-nio-8080-exec-"): String =
        "${folder.resolve("d.txt").also { it.writeText((0 until count).joinToString("\n") { at -> dump(at, name = name) }) }}"

    @Test
    fun `five dumps name the limit, who holds it, who waits, for how long, and what they cannot show`() {
        val result = explain(dumps())
        result.statusCode shouldBe ExitCode.FINE
        val text = result.stdout.replace(Regex("\\s+"), " ")
        text shouldStartWith "2 HikariCP connections limit the application"
        text shouldContain "All were in use in 5 of 5 thread dumps; 8 requests waited at Stock.take, line 11."
        text shouldContain "Of those in use: 60 % sleep (Stock.take, line 12), 40 % sleep (Stock.take, line 13)."
        text shouldContain "By default there are 10. Unless fewer are configured, 8 have leaked, or no thread holds them."
        text shouldContain "It was so for at least 4 s (2026-11-26 13:05:10 to 13:05:14)."
        text shouldContain "Not the CPU: 0 % of the requests run or are ready to run."
        text shouldContain "Set spring.datasource.hikari.maximum-pool-size to 4."
        text shouldContain "What another size would gain: give the request rate with --rate."
    }

    @Test
    fun `a rate adds holding times by Little's law, and a prediction that begins at 1 because the CPU is unknown`() {
        val json = Json.parseToJsonElement(explain(dumps(), "--rate", "20/s", "--format", "json").stdout).jsonObject
        val sentences = json.getValue("sentences").jsonArray.joinToString(" ") { it.jsonPrimitive.content }
        // 2 connections ÷ 20/s; 8 requests wait and 10 are in the system.
        sentences shouldContain "2 connections ÷ 20/s = 100 ms, for which a request holds one."
        sentences shouldContain "A request waits 400 ms for it (8 requests ÷ 20/s), and takes 500 ms (10 requests ÷ 20/s)."
        val prediction = json.getValue("prediction").jsonObject
        prediction.getValue("low").jsonPrimitive.double shouldBe 1.0
        prediction.getValue("high").jsonPrimitive.double shouldBe 2.0
    }

    @Test
    fun `two dumps name a likely limit, and say what they prove`() {
        val text = explain(dumps(2)).stdout.replace(Regex("\\s+"), " ")
        text shouldStartWith "Likely limit: HikariCP connections"
        text shouldContain "Fewer than 5 dumps prove little"
    }

    @Test
    fun `a deadlock is certain after one dump, and named with the threads, places and locks`() {
        fun thread(name: String, line: Int, waits: Int, owns: Int) = "\"$name-1\" #$line daemon tid=0x1 nid=0x1 waiting\n" +
            "   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat shop.Transfer.move(Transfer.kt:$line)\n" +
            "\t- waiting to lock <0x$waits> (a shop.Account)\n\t- locked <0x$owns> (a shop.Account)\n"

        val file = folder.resolve("one.txt")
        val head = "Full thread dump OpenJDK 64-Bit Server VM (17.0.15 mixed mode):\n\n"
        file.writeText("$head${thread("exec", 12, 1, 2)}\n${thread("task", 14, 2, 1)}\nJNI global refs: 14, weak refs: 0\n")
        val text = explain("$file").stdout.replace(Regex("\\s+"), " ")
        text shouldStartWith "Deadlock of 2 threads limits the application"
        text shouldContain "A thread of exec waits at Transfer.move, line 12 for Account, which a thread of task owns; " +
            "a thread of task waits at Transfer.move, line 14 for Account, which a thread of exec owns."
        text shouldNotContain "Fewer than 5 dumps"
    }

    @Test
    fun `nothing is excluded where virtual threads are hidden`() {
        val unparker = "\"VirtualThread-unparker\" #9 daemon tid=0x1 nid=0x1\n" +
            "   java.lang.Thread.State: WAITING\n\tat a.B.c(B.java:1)\n\n"
        val hidden = (0..4).joinToString("\n") { dump(it, waiting = 0).replace("JNI", "${unparker}JNI") }
        val text = explain("${folder.resolve("v.txt").also { it.writeText(hidden) }}").stdout.replace(Regex("\\s+"), " ")
        text shouldContain "Virtual threads. Take dumps with"
        text shouldNotContain "Not the CPU"
        text shouldNotContain "No request in a thread waits"
    }

    @Test
    fun `a pool whose tasks await tasks of the same pool is named, with what it does not let go on`() {
        fun thread(number: Int, name: String, calls: String) = "\"$name-$number\" #$number daemon tid=0x1 nid=0x1 waiting\n" +
            "   java.lang.Thread.State: WAITING (parking)\n\tat jdk.internal.misc.Unsafe.park(Native Method)\n" +
            "\tat java.util.concurrent.FutureTask.get(FutureTask.java:190)\n" +
            calls.split(" < ").joinToString("") { "\tat $it(Some.java:1)\n" }
        val task = "shop.Prices.sum < java.util.concurrent.FutureTask.run < java.util.concurrent.ThreadPoolExecutor.runWorker"
        val request = "shop.Orders.find < org.apache.coyote.http11.Http11Processor.service"
        val threads = (1..4).map { thread(it, "pool-1-thread", task) } + (5..14).map { thread(it, "http-nio-8080-exec", request) }
        val text = (0..4).joinToString("\n") { second ->
            "2026-11-26 13:05:1$second\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15):\n\n" +
                "${threads.joinToString("\n")}\nJNI global refs: 14, weak refs: 0\n"
        }
        val found = explain("${folder.resolve("nested.txt").also { it.writeText(text) }}").stdout.replace(Regex("\\s+"), " ")
        found shouldStartWith "4 threads of pool-1-thread limit the application"
        found shouldContain "Its threads await results: if the tasks for these stand in its own queue, none goes on."
        // They may await a connection of a client.
        found shouldContain "No request in a thread waits for a lock."
    }

    @Test
    fun `a deadlock that other threads show in the next dump is none`() {
        fun dump(second: Int, line: Int) = "2026-11-26 13:05:1$second\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15):\n\n" +
            listOf(1 to 2, 2 to 1).joinToString("\n") { (waits, owns) ->
                "\"exec-$waits\" #$waits daemon tid=0x1 nid=0x1 waiting\n   java.lang.Thread.State: WAITING\n" +
                    "\tat jdk.internal.misc.Unsafe.park(Native Method)\n\tat shop.Transfer.move(Transfer.kt:${line + waits})\n" +
                    "\t- parking to wait for <0x$waits> (a shop.Lock)\n\n" +
                    "   Locked ownable synchronizers:\n\t- <0x$owns> (a shop.Lock)\n"
            } + "\nJNI global refs: 14, weak refs: 0\n"
        fun explained(line: Int) = explain(
            "${folder.resolve("two$line.txt").also { it.writeText(dump(0, 10) + dump(1, line)) }}",
        ).stdout
        explained(10) shouldStartWith "Deadlock of 2 threads"
        explained(20) shouldNotContain "Deadlock"
    }

    @Test
    fun `each format is one document`() {
        explain(dumps(), "--format", "md").stdout shouldStartWith "# 2 HikariCP connections limit the application"
        explain(dumps(), "--format", "html").stdout shouldStartWith "<!doctype html>"
    }

    @Test
    fun `secrets in names of threads are hidden in every format`() {
        val file = dumps(name = "worker token=s3cr3tvalue exec-")
        for (format in listOf("text", "md", "html", "json")) {
            val result = explain(file, "--format", format)
            result.statusCode shouldBe ExitCode.FINE
            result.output shouldNotContain "s3cr3tvalue"
        }
    }

    @Test
    fun `the experiment of the dumps can be planned`() {
        val file = folder.resolve("again.yaml")
        explain(dumps(), "--write-experiment", "$file").stderr shouldContain "$file is written"
        file.readText() shouldContain "# Replace application.jar by your jar, and / by a path that is served by Stock.take."
        val plan = command.test(listOf("plan", "$file"))
        plan.statusCode shouldBe ExitCode.FINE
        plan.output shouldContain "hikari-connections-2"
        plan.output shouldContain "hikari-connections-4"
        file.readText() shouldContain "closed: 10"
    }

    @Test
    fun `files that cannot be explained are named, and end with exit code 2 if all are such`() {
        val log = folder.resolve("app.log").also { it.writeText("INFO started\n") }
        val beside = explain(dumps(), "$log")
        beside.statusCode shouldBe ExitCode.FINE
        beside.stderr shouldContain "$log: it has no thread dump"
        val alone = explain("$log")
        alone.statusCode shouldBe ExitCode.INPUT
        alone.output shouldContain "None of the files can be explained."
        alone.output shouldNotContain "Exception"
        explain(dumps(), "--rate", "many").statusCode shouldBe 1
    }
}
