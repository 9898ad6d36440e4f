package bootdyno.engine

import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.readText

/** Stops the process [pid] by SIGSTOP: it is there and does nothing any more. */
fun stop(pid: Long) {
    ProcessBuilder("kill", "-STOP", "$pid").start().waitFor() shouldBe 0
    val deadline = System.nanoTime() + 10_000_000_000
    while (") T" !in Path.of("/proc/$pid/stat").readText() && System.nanoTime() < deadline) Thread.onSpinWait()
}

fun isAlive(pid: Long) = ProcessHandle.of(pid).map { it.isAlive }.orElse(false)
