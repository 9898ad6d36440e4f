package bootdyno.cli

import bootdyno.run.RunEvent
import bootdyno.run.twoCellPlan
import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import com.github.ajalt.mordant.terminal.TerminalRecorder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

class ColoursTest {
    private fun colours(vararg variables: Pair<String, String>, isTerminal: Boolean = true): AnsiLevel? =
        colours(isTerminal, variables.toMap()::get)

    @Test
    fun `NO_COLOR means no colours if it is set and not empty, whatever else is set`() {
        colours("NO_COLOR" to "1") shouldBe AnsiLevel.NONE
        colours("NO_COLOR" to "0", "TERM" to "xterm-256color", "FORCE_COLOR" to "3") shouldBe AnsiLevel.NONE
        colours("NO_COLOR" to "", "TERM" to "xterm-256color") shouldBe AnsiLevel.ANSI16
        colours("TERM" to "xterm-256color") shouldBe null
    }

    @Test
    fun `a dumb terminal has no colours, and a pipe only those that FORCE_COLOR asks for`() {
        colours("TERM" to "dumb", "COLORTERM" to "truecolor") shouldBe AnsiLevel.NONE
        colours("TERM" to "xterm", "TERM_PROGRAM" to "vscode", isTerminal = false) shouldBe AnsiLevel.NONE
        colours("NO_COLOR" to "", isTerminal = false) shouldBe AnsiLevel.NONE
        colours("FORCE_COLOR" to "1", isTerminal = false) shouldBe null
    }

    @Test
    fun `live progress without colours moves the cursor only`() {
        fun drawn(level: AnsiLevel): String {
            val recorder = TerminalRecorder(level, width = 80, outputInteractive = true)
            val terminal = Terminal(level, interactive = true, terminalInterface = recorder)
            LiveProgress(terminal, 20.seconds, twoCellPlan())(RunEvent.RunStarted(Path.of("runs/x"), 2, 0))
            return recorder.output()
        }
        val colour = Regex("\u001B\\[[0-9;]*m")
        colour.containsMatchIn(drawn(AnsiLevel.ANSI16)) shouldBe true
        colour.containsMatchIn(drawn(AnsiLevel.NONE)) shouldBe false
        drawn(AnsiLevel.NONE) shouldContain "writing to runs/x"
    }
}
