package bootdyno.engine

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.readText

class GeneratorProcessTest {
    @Test
    fun `the log has what was printed, without secrets`(@TempDir folder: Path) {
        val log = folder.resolve("engine.log")
        val command = listOf("sh", "-c", "echo 'GET /orders?access_token=abc&size=5'")
        GeneratorProcess.start(EngineContext(emptyList(), log, cache = folder), command, folder).use { it.follow { } }
        log.readText() shouldBe "GET /orders?access_token=(hidden)&size=5\n"
    }
}
