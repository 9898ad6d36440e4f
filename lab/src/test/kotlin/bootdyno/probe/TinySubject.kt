package bootdyno.probe

import java.util.concurrent.Executors
import kotlin.concurrent.thread

/** A JVM to look at from outside: threads with names that frameworks use, and some garbage. Ends when its standard input does. */
object TinySubject {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val workers = arguments.firstOrNull()?.toInt() ?: 3
        repeat(workers) { index -> thread(isDaemon = true, name = "http-nio-8080-exec-$index") { Thread.sleep(Long.MAX_VALUE) } }
        repeat(2) { index -> thread(isDaemon = true, name = "boundedElastic-$index") { Thread.sleep(Long.MAX_VALUE) } }
        Executors.newVirtualThreadPerTaskExecutor().submit { }.get()
        repeat(20) { garbage = ByteArray(1_000_000) }
        System.gc()
        println("ready")
        System.`in`.readAllBytes()
    }

    @Volatile
    private var garbage: ByteArray? = null

    /** Starts it in a process of its own, by way of [prefix], and waits until it is ready. */
    fun start(workers: Int = 3, flags: List<String> = emptyList(), prefix: List<String> = emptyList()): Process {
        val java = ProcessHandle.current().info().command().orElseThrow()
        val words = prefix + java + flags +
            listOf("-Xmx64m", "-cp", System.getProperty("java.class.path"), TinySubject::class.java.name, "$workers")
        val started = ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start()
        check(started.inputReader().readLine() == "ready") { "the tiny subject did not start" }
        return started
    }
}
