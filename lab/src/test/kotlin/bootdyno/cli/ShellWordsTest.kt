package bootdyno.cli

import bootdyno.model.shellWord
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ShellWordsTest {
    @Test
    fun `words are split as a shell splits them`() {
        shellWords("node server.js  --port={port}") shouldBe listOf("node", "server.js", "--port={port}")
        shellWords("a 'b c' \"d \\\" e\" f\\ g ''") shouldBe listOf("a", "b c", "d \" e", "f g", "")
        shellWords("--name='a b'c") shouldBe listOf("--name=a bc")
        shellWords("  ") shouldBe emptyList()
        // In double quotes, a backslash is one before most characters.
        shellWords("grep \"\\d\\$\" '\\'") shouldBe listOf("grep", "\\d$", "\\")
        shellWords("a 'b") shouldBe null
    }

    @Test
    fun `a quoted word is one word again`() {
        listOf("plain", "a b", "it's", "").forEach { shellWords(shellWord(it)) shouldBe listOf(it) }
    }
}
