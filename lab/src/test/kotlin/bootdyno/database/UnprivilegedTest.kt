package bootdyno.database

import bootdyno.system.findOnPath
import bootdyno.system.runShortly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

class UnprivilegedTest {
    private fun nameWithin(words: List<String>) = runShortly(words)?.output?.trim()

    @TestFactory
    fun `each way that root has ends as nobody, with every word passed on`(): List<DynamicTest> =
        listOf("setpriv", "runuser", "su").zip(Unprivileged.PREFIXES) { name, prefix ->
            dynamicTest(name) {
                assumeTrue(Unprivileged.isRoot, "only root becomes another user")
                assumeTrue(findOnPath(name) != null, "there is no $name here")
                prefix.first() shouldBe name
                nameWithin(prefix + listOf("id", "-un")) shouldBe "nobody"
                runShortly(prefix + listOf("printf", "%s|", "a b", "'c'", "-d", "\$HOME"))?.output shouldBe "a b|'c'|-d|\$HOME|"
            }
        }

    @Test
    fun `nothing runs as root, and who is no root stays who he is`() {
        val expected = if (Unprivileged.isRoot) "nobody" else runShortly(listOf("id", "-un"))?.output?.trim()
        nameWithin(Unprivileged.here().command(listOf("id", "-un"))) shouldBe expected
    }
}
