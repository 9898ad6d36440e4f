package bootdyno

import bootdyno.faults.ALL_FAULTS
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Files
import kotlin.io.path.extension
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText
import kotlin.io.path.writeText

/**
 * The table of faults is written by `./build -pl lab -am -Dtest=ReliabilityTest -Ddocs.write=true -DfailIfNoTests=false
 * -Dsurefire.failIfNoSpecifiedTests=false`.
 */
class ReliabilityTest {
    private val page = CHECKOUT.resolve("docs/reliability.md")

    @Test
    fun `every test that docs-reliability names is there`() {
        val rows = page.readText().lines().filter { it.startsWith("| ") }
        rows.size shouldBeGreaterThan 40
        val named = rows.flatMap { row ->
            Regex("""\b[A-Z]\w+Test\b""").findAll(row.substringBeforeLast('|').substringAfterLast('|')).map { it.value }
        }
        val modules = listOf("model", "plan", "judge", "system", "engine", "engines", "lab", "kubernetes")
        val there = modules.flatMap { module ->
            Files.walk(CHECKOUT.resolve(module).resolve("src")).use { files ->
                files.filter { it.extension == "kt" }.map { it.nameWithoutExtension }.toList()
            }
        }.toSet()
        (named.toSet() - there).shouldBeEmpty()
    }

    @Test
    fun `docs-reliability lists the faults of the campaign`() {
        val rows = ALL_FAULTS.groupBy { it.kind }.map { (kind, faults) ->
            "|$kind|${faults.flatMap { it.names }.joinToString("; ")}|"
        }
        val table = (listOf("|Kind|Faults|", "|---|---|") + rows).joinToString("\n", "\n", "\n\n")
        val text = page.readText()
        val generated = text.replace(
            Regex("(?s)(?<=<!-- table: faults -->\n).*?(?=<!-- end -->)"),
            Regex.escapeReplacement(table),
        )
        if (System.getProperty("docs.write") == "true") page.writeText(generated) else text shouldBe generated
    }
}
