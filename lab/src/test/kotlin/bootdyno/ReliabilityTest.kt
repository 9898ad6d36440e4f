package bootdyno

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText

class ReliabilityTest {
    private val checkout: Path = generateSequence(Path.of("").toAbsolutePath()) {
        it.parent
    }.first { Files.exists(it.resolve("build")) }

    @Test
    fun `every test that docs-reliability names is there`() {
        val rows = checkout.resolve("docs/reliability.md").readText().lines().filter { it.startsWith("| ") }
        rows.size shouldBeGreaterThan 60
        val named = rows.flatMap { row ->
            Regex("""\b[A-Z]\w+Test\b""").findAll(row.substringBeforeLast('|').substringAfterLast('|')).map { it.value }
        }
        val modules = listOf("model", "plan", "judge", "system", "engine", "engines", "lab", "kubernetes")
        val there = modules.flatMap { module ->
            Files.walk(checkout.resolve(module)).use { files ->
                files.filter { it.extension == "kt" }.map { it.nameWithoutExtension }.toList()
            }
        }.toSet()
        (named.toSet() - there).shouldBeEmpty()
    }
}
