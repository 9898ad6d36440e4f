package bootdyno.cli

import bootdyno.model.shellPath
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class QuotedCommandsTest {
    @Test
    fun `a path in a proposed command is one word, and never a flag`() {
        shellPath("runs/2026-11-20T101500-x") shouldBe "runs/2026-11-20T101500-x"
        shellPath("a b/experiment.yaml") shouldBe "'a b/experiment.yaml'"
        shellPath("-x.jar") shouldBe "./-x.jar"
        shellPath("it's") shouldBe "'it'\\''s'"
    }
}
