package bootdyno.dumps

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.time.LocalDateTime

class ThreadPrintTest {
    private fun read(text: String): List<ReadDump> = ThreadPrint().apply { text.lineSequence().forEach(::line) }.dumps()

    private val printed = """
        5923:
        2026-11-26 13:05:15
        Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1 mixed mode, sharing):

        "http-nio-8080-exec-1" #30 daemon prio=5 os_prio=0 cpu=514.46ms elapsed=37.88s tid=0x01 nid=0x187e waiting for monitor entry  [0x02]
           java.lang.Thread.State: BLOCKED (on object monitor)
        	at shop.Ledger.book(Ledger.kt:24)
        	- waiting to lock <0x00000000e0be45c0> (a shop.Ledger)
        	at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

           Locked ownable synchronizers:
        	- None

        "http-nio-8080-exec-2" #31 daemon prio=5 os_prio=0 cpu=1.5ms elapsed=36.00s tid=0x01 nid=0x187e waiting on condition  [0x02]
           java.lang.Thread.State: TIMED_WAITING (sleeping)
        	at java.lang.Thread.sleep(java.base@17.0.15/Native Method)
        	at shop.Ledger.book(Ledger.kt:25)
        	- locked <0x00000000e0be45c0> (a shop.Ledger)

           Locked ownable synchronizers:
        	- <0x00000000e0be4999> (a java.util.concurrent.locks.ReentrantLock${'$'}NonfairSync)

        "GC Thread#0" os_prio=0 cpu=274.24ms elapsed=72.58s tid=0x03 nid=0x172e runnable

        JNI global refs: 14, weak refs: 0
    """.trimIndent()

    @Test
    fun `a printed dump has the states, locks and CPU times of its threads`() {
        val dump = read(printed).single()
        dump.time shouldBe LocalDateTime.of(2026, 11, 26, 13, 5, 15)
        dump.process shouldBe 5923
        dump.jvm shouldBe "17.0.15+6-Debian-1deb12u1"
        dump.isComplete shouldBe true
        val (waits, owns) = dump.threads
        waits.state shouldBe "BLOCKED"
        waits.waitsFor shouldBe "shop.Ledger@e0be45c0"
        waits.calls shouldContainExactly listOf("shop.Ledger.book(Ledger.kt:24)", "java.lang.Thread.run(Thread.java:840)")
        owns.owns shouldContainExactly
            listOf("shop.Ledger@e0be45c0", "java.util.concurrent.locks.ReentrantLock\$NonfairSync@e0be4999")
        dump.cpu.map { it.name to it.seconds } shouldContainExactly
            listOf("http-nio-8080-exec-1" to 0.51446, "http-nio-8080-exec-2" to 0.0015, "GC Thread#0" to 0.27424)
        dump.age shouldBe 72.58
    }

    @Test
    fun `each dump of a log is read, without the lines around it`() {
        val log = "2026-11-26 INFO started\njava.lang.IllegalStateException: x\n\tat shop.Other.call(Other.kt:1)\n"
        val dumps = read(log + printed + "\n" + log + printed.replace("13:05:15", "13:05:16"))
        dumps.map { it.time?.second } shouldContainExactly listOf(15, 16)
        dumps.flatMap { it.threads }.map { it.calls.last() }.distinct() shouldContainExactly
            listOf("java.lang.Thread.run(Thread.java:840)", "shop.Ledger.book(Ledger.kt:25)")
    }

    @Test
    fun `lines of a log inside a stack are left out, and so is an exception`() {
        val line = "\tat java.lang.Thread.sleep(java.base@17.0.15/Native Method)"
        val exception = "java.io.IOException: reset\n\tat shop.Other.call(Other.kt:1)"
        read(printed.replace(line, "$line\n13:05:15.1 INFO  served /orders")).single().threads shouldBe
            read(printed).single().threads
        read(printed.replace(line, "$line\n$exception")).single().threads[1].calls shouldContainExactly
            listOf("java.lang.Thread.sleep(Native Method)")
    }

    @Test
    fun `what a container's log writes before each line does not matter`() {
        val threads = read(printed).single().threads
        val logged = "INFO   | jvm 1    | 2014/10/16 17:41:57 | "
        for (prefix in listOf("2026-11-26T13:04:45.123456789Z stdout F ", "2026-11-26T13:04:45.1+01:00 ", "shop-1  | ", logged)) {
            read(printed.lines().joinToString("\n") { prefix + it }).single().threads shouldBe threads
        }
    }

    @Test
    fun `a dump without its end is not complete`() {
        read(printed.substringBefore("\"GC Thread")).single().isComplete shouldBe false
        read(printed.substringAfter("sharing):").substringBefore("\"http-nio-8080-exec-2")).single().threads.size shouldBe 1
    }

    @Test
    fun `the threads of a deadlock, listed again behind the dump, count once`() {
        val again = "Found one Java-level deadlock:\n=====\n\"a\":\n  waiting to lock monitor 0x1\n" +
            "Java stack information for the threads listed above:\n\"a\":\n\tat shop.Ledger.book(Ledger.kt:24)\n"
        read("$printed\n\n$again\"http-nio-8080-exec-1\" #30 prio=5 tid=0x01\n\tat a.B.c(D:1)\n").single().threads.size shouldBe 2
    }

    @Test
    fun `a deadlock behind a dump says who owns the locks that the dump shows only with -l`() {
        val lock = "(a java.util.concurrent.locks.ReentrantLock${'$'}NonfairSync)"
        fun thread(number: Int, waits: Int) = "\"http-nio-8080-exec-$number\" #$number prio=5 tid=0x01 nid=0x1 waiting\n" +
            "   java.lang.Thread.State: WAITING (parking)\n\tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)\n" +
            "\t- parking to wait for  <0x00000000e0be450$waits> $lock\n\tat shop.Transfer.move(Transfer.kt:1$number)\n\n"

        fun waits(number: Int, waits: Int) = "\"http-nio-8080-exec-$number\":\n" +
            "  waiting for ownable synchronizer 0x00000000e0be450$waits, $lock,\n" +
            "  which is held by \"http-nio-8080-exec-${3 - number}\"\n\n"
        val text = "Full thread dump OpenJDK 64-Bit Server VM (17.0.15 mixed mode):\n\n${thread(1, 2)}${thread(2, 1)}" +
            "JNI global refs: 14, weak refs: 0\n\nFound one Java-level deadlock:\n=====\n${waits(1, 2)}${waits(2, 1)}"
        read(text).single().threads.map { it.owns } shouldContainExactly
            listOf(1, 2).map { listOf("java.util.concurrent.locks.ReentrantLock\$NonfairSync@e0be450$it") }
    }

    @Test
    fun `a carrier has no frames of the virtual thread that is mounted on it`() {
        val frame = "at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)"
        val mounted = "$frame\n   Mounted virtual thread #99\n\tat shop.Orders.order(Orders.kt:7)" +
            "\n\tat java.lang.VirtualThread.run(java.base@25/VirtualThread.java:456)"
        read(printed.replace(frame, mounted)).single().threads shouldBe read(printed).single().threads
    }

    @Test
    fun `a thread that waits for the initialization of a class is blocked by the one that initializes it`() {
        val frame = "\tat shop.Ledger.book(Ledger.kt:25)"
        val lock = "- waiting to lock <0x00000000e0be45c0> (a shop.Ledger)"
        val (waits, owns) = read(
            printed.replace("BLOCKED (on object monitor)", "RUNNABLE")
                .replace(lock, "- waiting on the Class initialization monitor for shop.Prices")
                .replace(frame, "\tat shop.Prices.<clinit>(Prices.kt:3)\n$frame"),
        ).single().threads
        waits.state shouldBe "BLOCKED"
        owns.owns.contains(waits.waitsFor) shouldBe true
    }

    @Test
    fun `threads of JVMs before JDK 8 have no number`() {
        read(printed.replace(Regex("\" #\\d+"), "\"")).single().threads.size shouldBe 2
    }

    @Test
    fun `a dumped file has virtual threads, with states from JDK 25 on`() {
        val dump = read(
            """
            7500
            2026-11-26T13:06:55.974530299Z
            25.0.3+9-LTS

            #30 "" virtual WAITING 2026-11-26T13:06:55.977803176Z
                at java.base/java.lang.VirtualThread.park(VirtualThread.java:774)
                - parking to wait for <java.util.concurrent.Semaphore${'$'}NonfairSync@3e28336e>
                at shop.Orders.order(Orders.kt:7)
                at java.base/java.lang.VirtualThread.run(VirtualThread.java:456)

            7500
            2026-11-26T13:06:56.9Z
            21.0.9+10

            #30 "tomcat-handler-1" virtual
                  java.base/java.lang.VirtualThread.park(VirtualThread.java:582)
                  shop.Orders.order(Orders.kt:7)
            """.trimIndent(),
        )
        dump.map { it.process } shouldContainExactly listOf(7500L, 7500L)
        dump.map { it.time?.second } shouldContainExactly listOf(55, 56)
        dump.map { it.jvm } shouldContainExactly listOf("25.0.3+9-LTS", "21.0.9+10")
        val (new, old) = dump.map { it.threads.single() }
        new.virtual shouldBe true
        new.state shouldBe "WAITING"
        new.waitsFor shouldBe "java.util.concurrent.Semaphore\$NonfairSync@3e28336e"
        old.virtual shouldBe true
        old.state shouldBe null
        old.calls shouldContainExactly
            listOf("java.base/java.lang.VirtualThread.park(VirtualThread.java:582)", "shop.Orders.order(Orders.kt:7)")
    }

    @Test
    fun `the text of the actuator has the owner of a lock`() {
        val dump = read(
            """
            2026-11-26 13:05:15
            Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):

            "exec-1" - Thread t@30
               java.lang.Thread.State: WAITING
            	at java.base@25.0.3/jdk.internal.misc.Unsafe.park(Native Method)
            	- waiting to lock <1a2b> (a java.util.concurrent.locks.ReentrantLock${'$'}NonfairSync) owned by "exec-2" t@31
            	at shop.Orders.order(Orders.kt:7)

               Locked ownable synchronizers:
            	- None

            "exec-2" - Thread t@31
               java.lang.Thread.State: TIMED_WAITING
            	at shop.Orders.order(Orders.kt:8)
            """.trimIndent(),
        ).single()
        dump.form shouldBe DumpForm.ACTUATOR
        dump.isComplete shouldBe true
        dump.threads[1].owns shouldContainExactly listOfNotNull(dump.threads[0].waitsFor)
    }

    @Test
    fun `text without a dump has none`() {
        read("\"quoted\" text\n#1 priority\nFull house\n\tat shop.Other.call(Other.kt:1)").shouldBeEmpty()
    }
}
