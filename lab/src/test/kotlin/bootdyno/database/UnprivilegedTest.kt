package bootdyno.database

import bootdyno.system.runShortly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

class UnprivilegedTest {
    private fun nameWithin(wrap: (List<String>) -> List<String>) = runShortly(wrap(listOf("id", "-un")))?.output?.trim()

    @TestFactory
    fun `each way that root has ends as nobody, with every word passed on`(): List<DynamicTest> =
        mapOf("setpriv" to ::bySetpriv, "runuser" to ::byRunuser, "su" to ::bySu).map { (name, find) ->
            dynamicTest(name) {
                assumeTrue(Unprivileged.isRoot, "only root becomes another user")
                val way = find()
                assumeTrue(way != null, "there is no $name here")
                nameWithin(checkNotNull(way)) shouldBe "nobody"
                runShortly(way(listOf("printf", "%s|", "a b", "'c'", "-d", "\$HOME")))?.output shouldBe "a b|'c'|-d|\$HOME|"
            }
        }

    @Test
    fun `nothing runs as root, and who is no root stays who he is`() {
        val expected = if (Unprivileged.isRoot) "nobody" else runShortly(listOf("id", "-un"))?.output?.trim()
        nameWithin(Unprivileged.here()::command) shouldBe expected
    }
}
