package bootdyno.subjects.downstream

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import java.nio.file.Path

class MainTest {
    private fun started(vararg arguments: String): Process = ProcessBuilder(
        listOf("${Path.of(System.getProperty("java.home"), "bin", "java")}", "--enable-native-access=ALL-UNNAMED") +
            listOf("-cp", System.getProperty("java.class.path"), "bootdyno.subjects.downstream.MainKt") + arguments,
    ).redirectErrorStream(true).start()

    @Test
    fun `it says that it is ready and no more, and a SIGTERM ends it`() {
        val process = started("--port=0", "--distribution=fixed")
        try {
            val output = process.inputReader()
            val ready = output.readLine()
            ready shouldStartWith "ready on http://127.0.0.1:"
            // Process.destroy would close the output, too.
            process.toHandle().destroy()
            output.readLines().shouldBeEmpty()
            process.waitFor() shouldBe 128 + 15
        } finally {
            process.destroyForcibly()
        }
    }

    @Test
    fun `what it does not understand ends it with a sentence`() {
        val process = started("--mean=soon")
        try {
            process.inputReader().readLines().shouldContainExactly("a mean is a number of milliseconds, not soon")
            process.waitFor() shouldBe 2
        } finally {
            process.destroyForcibly()
        }
    }
}
